export { type Change, type Entry, resourceOf } from "./entry.ts";
export { type JournalRecord, memoryJournal, UnusableData } from "./journal.ts";
export { openLmdbJournal, readLmdbJournal } from "./lmdb-journal.ts";
export { StorageFailed, Store, WriteConflict } from "./store.ts";
