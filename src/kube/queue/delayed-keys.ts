/** Keys that are to be added later, each once, with one timer for the earliest. Owns that timer until `clear`. */
import type { Clock, Timer } from "#clock";
import { Heap, type HeapItem } from "./heap.ts";

interface Delayed extends HeapItem {
  readonly key: string;
  readonly order: number;
  due: number;
  priority: number;
}

export class DelayedKeys {
  readonly #clock: Clock;
  readonly #ready: (key: string, priority: number) => void;
  readonly #byKey = new Map<string, Delayed>();
  readonly #byTime = new Heap<Delayed>((a, b) => a.due < b.due || (a.due === b.due && a.order < b.order));
  #timer: Timer | undefined;
  #timerDue = Number.POSITIVE_INFINITY;
  #created = 0;

  /** `ready` is called for each key when its time has come. */
  constructor(clock: Clock, ready: (key: string, priority: number) => void) {
    this.#clock = clock;
    this.#ready = ready;
  }

  get size(): number {
    return this.#byTime.size;
  }

  /** The earliest of several times for a key counts, and the largest of its priorities. */
  add(key: string, delayMs: number, priority: number): void {
    const due = this.#clock.monotonic() + delayMs;
    const known = this.#byKey.get(key);
    if (!known) {
      const delayed: Delayed = { key, due, priority, order: this.#created++, at: 0 };
      this.#byKey.set(key, delayed);
      this.#byTime.push(delayed);
    } else {
      known.priority = Math.max(known.priority, priority);
      if (due < known.due) {
        known.due = due;
        this.#byTime.promoted(known);
      }
    }
    this.#arm();
  }

  clear(): void {
    this.#byKey.clear();
    this.#byTime.clear();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    const next = this.#byTime.peek();
    if (!next || (this.#timer && this.#timerDue <= next.due)) return;
    this.#timer?.cancel();
    this.#timerDue = next.due;
    this.#timer = this.#clock.after(next.due - this.#clock.monotonic(), () => this.#fire());
  }

  #fire(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    for (let next = this.#byTime.peek(); next && next.due <= now; next = this.#byTime.peek()) {
      this.#byTime.pop();
      this.#byKey.delete(next.key);
      this.#ready(next.key, next.priority);
    }
    this.#arm();
  }
}
