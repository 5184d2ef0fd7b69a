/** How long to wait before the next attempt: doubling, with jitter, capped. Owns the count of failures in a row. */
import { type Random, seconds } from "#clock";

const FIRST_MS = 200;
const LONGEST_MS = seconds(30);

export class Backoff {
  readonly #random: Random;
  #failures = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Counts a failure and says how long to wait after it: half to all of 200 ms · 2ⁿ, at most 30 s. */
  next(): number {
    const full = Math.min(FIRST_MS * 2 ** this.#failures++, LONGEST_MS);
    return full * (0.5 + 0.5 * this.#random.next());
  }

  reset(): void {
    this.#failures = 0;
  }
}
