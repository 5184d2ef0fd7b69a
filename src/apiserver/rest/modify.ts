/** Writes made by the server itself: read, change, write, again when another writer was faster. */
import type { KubeObject } from "#kinds";
import { type Entry, type Store, WriteConflict } from "../store/index.ts";

/** Changes a stored object; undefined from `change` leaves it. Resolves with the stored version, undefined when it is gone. */
export async function modify(
  store: Store,
  key: string,
  change: (object: KubeObject) => KubeObject | undefined,
): Promise<Entry | undefined> {
  for (;;) {
    const current = store.head(key);
    if (!current) return undefined;
    const changed = change(structuredClone(current.object));
    if (!changed) return current;
    try {
      return await store.put(key, current, changed);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}

/** Deletes a stored object if `isDue` says so of its newest version. */
export async function discard(store: Store, key: string, isDue: (object: KubeObject) => boolean): Promise<void> {
  for (;;) {
    const current = store.head(key);
    if (!current || !isDue(current.object)) return;
    try {
      await store.delete(key, current);
      return;
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}
