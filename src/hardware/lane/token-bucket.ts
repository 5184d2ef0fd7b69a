/** How often one BMC is asked at most: a burst, then a steady rate. Only counts; whoever takes a token does the waiting. */
import type { Clock } from "#clock";

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export class TokenBucket {
  readonly #clock: Clock;
  readonly #rate: Rate;
  #tokens: number;
  #countedAt: number;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#countedAt = clock.monotonic();
  }

  /** Takes a token, possibly one that is still to come, and returns how many milliseconds until it is there. */
  take(): number {
    const now = this.#clock.monotonic();
    const { perSecond, burst } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#countedAt) / 1000) * perSecond);
    this.#countedAt = now;
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / perSecond) * 1000;
  }
}
