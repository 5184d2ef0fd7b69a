/** Objects by key, and by whatever indexes were asked for, kept up to date change by change. Owns no behaviour beyond lookup. */
import type { IndexFunction } from "./informer.ts";

interface Index<T> {
  readonly values: IndexFunction<T>;
  readonly keys: Map<string, Set<string>>;
}

export class ObjectCache<T> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Index<T>>();
  readonly #onError: (error: unknown) => void;
  #listed: readonly T[] | undefined;

  /** `onError` hears of index functions that throw; the object is then found under no value of that index. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Refuses another function under a name that is taken; the same one again is fine. */
  addIndex(name: string, values: IndexFunction<T>): void {
    const known = this.#indexes.get(name);
    if (known?.values === values) return;
    if (known) throw new Error(`index "${name}" exists with another function; give this one another name`);
    const index: Index<T> = { values, keys: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) this.#file(index, key, object);
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  /** The same array until something changes. */
  list(): readonly T[] {
    this.#listed ??= [...this.#objects.values()];
    return this.#listed;
  }

  byIndex(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name);
    if (!index) throw new Error(`no index "${name}"; there are: ${[...this.#indexes.keys()].join(", ") || "none"}`);
    const found: T[] = [];
    for (const key of index.keys.get(value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  set(key: string, object: T): void {
    const before = this.#objects.get(key);
    for (const index of this.#indexes.values()) {
      if (before !== undefined) this.#unfile(index, key, before);
      this.#file(index, key, object);
    }
    this.#objects.set(key, object);
    this.#listed = undefined;
  }

  delete(key: string): void {
    const before = this.#objects.get(key);
    if (before === undefined) return;
    for (const index of this.#indexes.values()) this.#unfile(index, key, before);
    this.#objects.delete(key);
    this.#listed = undefined;
  }

  #file(index: Index<T>, key: string, object: T): void {
    for (const value of this.#valuesOf(index, object)) {
      const keys = index.keys.get(value);
      if (keys) keys.add(key);
      else index.keys.set(value, new Set([key]));
    }
  }

  #unfile(index: Index<T>, key: string, object: T): void {
    for (const value of this.#valuesOf(index, object)) {
      const keys = index.keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) index.keys.delete(value);
    }
  }

  #valuesOf(index: Index<T>, object: T): readonly string[] {
    try {
      return index.values(object);
    } catch (error) {
      this.#onError(error);
      return [];
    }
  }
}
