/** Tells a quiet watch from a dead one. Owns one timer, however much arrives, until `stop`. */
import type { Clock, Timer } from "#clock";

/** No byte arrived for longer than a living server stays silent. */
export class WatchSilent extends Error {
  override readonly name = "WatchSilent";
  constructor(what: string, windowMs: number) {
    super(
      `watch ${what}: nothing arrived for ${windowMs / 1000} s, not even a bookmark; the connection is taken for dead`,
    );
  }
}

/** Its signal is aborted with the parent's reason, or with {@link WatchSilent} when `heard` was not called within the window. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #parent: AbortSignal;
  readonly #what: string;
  readonly #controller = new AbortController();
  readonly #onAbort = (): void => this.#controller.abort(this.#parent.reason);
  #windowMs: number;
  #heardAt: number;
  #timer: Timer | undefined;

  constructor(clock: Clock, windowMs: number, what: string, parent: AbortSignal) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#what = what;
    this.#parent = parent;
    this.#heardAt = clock.monotonic();
    parent.addEventListener("abort", this.#onAbort, { once: true });
    if (parent.aborted) this.#onAbort();
    this.#arm(windowMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    this.#heardAt = this.#clock.monotonic();
  }

  /** Grants another window from now on. */
  rewind(windowMs: number): void {
    this.#windowMs = windowMs;
    this.heard();
    this.#timer?.cancel();
    this.#arm(windowMs);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#parent.removeEventListener("abort", this.#onAbort);
  }

  #arm(delayMs: number): void {
    this.#timer = this.#clock.after(delayMs, () => {
      const leftMs = this.#heardAt + this.#windowMs - this.#clock.monotonic();
      if (leftMs > 0) this.#arm(leftMs);
      else this.#controller.abort(new WatchSilent(this.#what, this.#windowMs));
    });
  }
}
