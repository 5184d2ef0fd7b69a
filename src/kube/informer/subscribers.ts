/** Tells every handler of every change, in order, whatever one of them does. Keeps no state of the objects. */
import type { InformerHandler } from "./informer.ts";

interface Subscriber<T> {
  readonly handler: InformerHandler<T>;
  active: boolean;
}

export class Subscribers<T> {
  readonly #onError: (error: unknown) => void;
  /** Replaced, never changed: who joins while a change is being told already knows it from the cache. */
  #subscribers: readonly Subscriber<T>[] = [];

  /** `onError` hears what handlers throw. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Delivers what exists, then joins. Returns how to leave, which takes effect at once. */
  join(handler: InformerHandler<T>, existing: Iterable<T>): () => void {
    const subscriber: Subscriber<T> = { handler, active: true };
    for (const object of existing) this.#tell(subscriber, (h) => h.added?.(object, true));
    this.#subscribers = [...this.#subscribers, subscriber];
    return () => {
      subscriber.active = false;
      this.#subscribers = this.#subscribers.filter((other) => other !== subscriber);
    };
  }

  added(object: T, initial: boolean): void {
    for (const subscriber of this.#subscribers) this.#tell(subscriber, (h) => h.added?.(object, initial));
  }

  updated(before: T, after: T): void {
    for (const subscriber of this.#subscribers) this.#tell(subscriber, (h) => h.updated?.(before, after));
  }

  deleted(object: T): void {
    for (const subscriber of this.#subscribers) this.#tell(subscriber, (h) => h.deleted?.(object));
  }

  #tell({ handler, active }: Subscriber<T>, how: (handler: InformerHandler<T>) => void): void {
    if (!active) return;
    try {
      how(handler);
    } catch (error) {
      this.#onError(error);
    }
  }
}
