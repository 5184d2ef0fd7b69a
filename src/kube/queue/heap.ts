/** A binary heap whose items know their place, so that one of them can move when its rank changes. Owns order alone. */

/** An item belongs to at most one heap; `at` is the heap's to write. */
export interface HeapItem {
  at: number;
}

export class Heap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  /** `before` says which of two items comes out first. */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    item.at = this.#items.length;
    this.#items.push(item);
    this.#rise(item);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (first && last && first !== last) {
      this.#place(last, 0);
      this.#sink(last);
    }
    return first;
  }

  /** To be called after an item came to rank earlier than before. */
  promoted(item: T): void {
    this.#rise(item);
  }

  clear(): void {
    this.#items.length = 0;
  }

  #place(item: T, at: number): void {
    this.#items[at] = item;
    item.at = at;
  }

  #rise(item: T): void {
    while (item.at > 0) {
      const parent = this.#items[(item.at - 1) >> 1];
      if (!parent || !this.#before(item, parent)) return;
      const { at } = parent;
      this.#place(parent, item.at);
      this.#place(item, at);
    }
  }

  #sink(item: T): void {
    for (;;) {
      const child = this.#earlierChild(item.at);
      if (!child || !this.#before(child, item)) return;
      const { at } = child;
      this.#place(child, item.at);
      this.#place(item, at);
    }
  }

  #earlierChild(at: number): T | undefined {
    const left = this.#items[2 * at + 1];
    const right = this.#items[2 * at + 2];
    return left && right && this.#before(right, left) ? right : left;
  }
}
