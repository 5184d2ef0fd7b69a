/** Keeps a loop over many ready items from starving everything else. Owns no timer; never delays by time. */
import type { Clock } from "./clock.ts";

/**
 * Ask before each item. While the loop's slice lasts, there is nothing to wait for; once it is used up, the
 * answer is a promise that resolves after timers and I/O had their turn. A loop that waits by itself starts a new slice.
 */
export class Pacer {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #sliceMs: number;
  #began: number | undefined;

  constructor(clock: Pick<Clock, "monotonic">, sliceMs = 10) {
    this.#clock = clock;
    this.#sliceMs = sliceMs;
  }

  pause(): Promise<void> | undefined {
    const now = this.#clock.monotonic();
    if (this.#began === undefined) {
      this.#began = now;
      setImmediate(() => {
        this.#began = undefined;
      });
      return undefined;
    }
    return now - this.#began < this.#sliceMs ? undefined : new Promise((resolve) => setImmediate(resolve));
  }
}
