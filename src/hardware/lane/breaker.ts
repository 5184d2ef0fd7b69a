/**
 * Stops asking a BMC that does not answer: after a few failures in a row nothing is sent for a while, then one probe;
 * each failed probe makes the pause longer. Decides only whether to ask, never what.
 */
import type { Clock, Random } from "#clock";

export type BreakerState = "closed" | "open" | "half-open";

/** What an exchange says about the BMC's health; `unknown` when it ended for a reason of ours. */
export type Verdict = "well" | "sick" | "unknown";

/** The part of a lane that says whether to ask now. */
export interface Breaking {
  readonly state: BreakerState;
  /** Milliseconds to stay away; 0 when an exchange may start, and then `report` must follow. */
  admit(): number;
  /** Milliseconds to stay away, without starting anything. */
  pause(): number;
  report(verdict: Verdict): void;
  /** The BMC itself asked to be left alone for so long. */
  hold(forMs: number): void;
}

export interface BreakerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Failures in a row that open it. */
  readonly threshold?: number;
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

const LONGEST_HOLD_MS = 10 * 60_000;

export class Breaker implements Breaking {
  readonly #options: BreakerOptions;
  #failures = 0;
  /** Pauses in a row: 0 while closed. */
  #pauses = 0;
  #until = 0;
  #heldUntil = 0;
  #probing = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get state(): BreakerState {
    if (this.#pauses === 0) return "closed";
    return this.#probing || this.#options.clock.monotonic() >= this.#until ? "half-open" : "open";
  }

  pause(): number {
    const now = this.#options.clock.monotonic();
    const held = Math.max(0, this.#heldUntil - now);
    if (this.#pauses === 0) return held;
    // Whoever comes while the probe is out comes back when it can have ended.
    const probe = this.#probing ? this.#firstPauseMs : 0;
    return Math.max(held, this.#until - now, probe, 0);
  }

  admit(): number {
    const pause = this.pause();
    if (pause === 0 && this.#pauses > 0) this.#probing = true;
    return pause;
  }

  report(verdict: Verdict): void {
    const probed = this.#probing;
    this.#probing = false;
    if (verdict === "unknown") return;
    if (verdict === "well") {
      this.#failures = 0;
      this.#pauses = 0;
      return;
    }
    this.#failures++;
    const threshold = this.#options.threshold ?? 3;
    if (probed || (this.#pauses === 0 && this.#failures >= threshold)) this.#open();
  }

  hold(forMs: number): void {
    this.#heldUntil = this.#options.clock.monotonic() + Math.min(forMs, LONGEST_HOLD_MS);
  }

  get #firstPauseMs(): number {
    return this.#options.firstPauseMs ?? 5_000;
  }

  /** Doubling, with up to a fifth more by chance, so that a rack that came back is not asked all at once. */
  #open(): void {
    const { clock, random, longestPauseMs = 5 * 60_000 } = this.#options;
    const pause = Math.min(longestPauseMs, this.#firstPauseMs * 2 ** this.#pauses);
    this.#pauses++;
    this.#until = clock.monotonic() + pause * (1 + random.next() * 0.2);
  }
}
