export { type Change, type Entry, resourceOf } from "./entry.ts";
export { memoryJournal, UnusableData } from "./journal.ts";
export { openLmdbJournal } from "./lmdb-journal.ts";
export { StorageFailed, Store, WriteConflict } from "./store.ts";
