/**
 * The fence a lease puts around a client: open while nobody has been elected here, open until the deadline while the lease
 * is held, closed for ever after. Its word is computed from the monotonic clock at the moment it is asked, so that a
 * process that was stopped for a minute finds it closed before any timer has run.
 */
import type { Clock } from "#clock";
import { type Fence, Fenced } from "../transport/fence.ts";

export class LeaseFence implements Fence {
  readonly #clock: Pick<Clock, "monotonic">;
  #deadline = Number.POSITIVE_INFINITY;
  #closed: string | undefined;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** The monotonic time after which no request starts; infinite before the first election. */
  get deadline(): number {
    return this.#deadline;
  }

  /** Why no request may start any more; undefined while requests may. */
  get closed(): string | undefined {
    this.#expire();
    return this.#closed;
  }

  check(): void {
    this.#expire();
    if (this.#closed !== undefined) throw new Fenced(this.#closed);
  }

  /** Moves the deadline after a renewal and says whether the lease is held: not when it is closed, nor by an answer that came too late. */
  extendTo(deadline: number): boolean {
    this.#expire();
    if (this.#closed !== undefined || deadline <= this.#clock.monotonic()) return false;
    this.#deadline = deadline;
    return true;
  }

  close(reason: string): void {
    this.#expire();
    this.#closed ??= reason;
  }

  /**
   * For the election's own requests: closed by the deadline alone, so that a lease can be given back after `close`
   * while a renewal that was held up somewhere still cannot start too late.
   */
  readonly renewal: Fence = {
    check: () => {
      if (this.#clock.monotonic() >= this.#deadline) throw new Fenced(this.#overdue());
    },
  };

  #expire(): void {
    if (this.#clock.monotonic() >= this.#deadline) this.#closed ??= this.#overdue();
  }

  #overdue(): string {
    return `the lease was not renewed in time (${Math.round(this.#clock.monotonic() - this.#deadline)} ms past its deadline)`;
  }
}
