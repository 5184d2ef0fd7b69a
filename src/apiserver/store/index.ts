export type { Change, Entry } from "./entry.ts";
export { memoryJournal, UnusableData } from "./journal.ts";
export { openLmdbJournal } from "./lmdb-journal.ts";
export { StorageFailed, Store, WriteConflict } from "./store.ts";
