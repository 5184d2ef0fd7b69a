/**
 * Equal reads at the same time are one read. A read that began before a change must not answer someone who asks after
 * it, so every change ends the sharing of what is under way.
 */

/** The part of a lane that joins equal reads. */
export interface ReadSharing {
  /** The result of a read under way with this key, or of `read`. */
  share<T>(key: string, read: () => Promise<T>): Promise<T>;
  /** Nobody joins a read that is under way now. */
  changed(): void;
}

export class SharedReads implements ReadSharing {
  #underWay: Map<string, Promise<unknown>> | undefined;
  readonly #onJoin: (() => void) | undefined;

  constructor(onJoin?: () => void) {
    this.#onJoin = onJoin;
  }

  share<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#underWay?.get(key);
    if (known) {
      this.#onJoin?.();
      return known as Promise<T>;
    }
    this.#underWay ??= new Map();
    const flights = this.#underWay;
    const flight = read().finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
      if (flights.size === 0 && this.#underWay === flights) this.#underWay = undefined;
    });
    flights.set(key, flight);
    return flight;
  }

  changed(): void {
    this.#underWay = undefined;
  }
}
