/** The current objects of one resource, by key and in key order. */
import type { Entry } from "./entry.ts";

export class Collection {
  readonly #entries = new Map<string, Entry>();
  readonly #keys: string[] = [];

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  set(entry: Entry): void {
    if (!this.#entries.has(entry.key)) this.#keys.splice(this.#position(entry.key), 0, entry.key);
    this.#entries.set(entry.key, entry);
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#keys.splice(this.#position(key), 1);
  }

  /** The entries whose key starts with `prefix` and comes after `after`, in key order. */
  *range(prefix: string, after = ""): Generator<Entry> {
    const from = after > prefix ? after : prefix;
    for (let i = this.#position(from); i < this.#keys.length; i++) {
      const key = this.#keys[i] as string;
      if (!key.startsWith(prefix)) return;
      if (key === after) continue;
      yield this.#entries.get(key) as Entry;
    }
  }

  /** Where `key` stands, or would stand, among the sorted keys. */
  #position(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
