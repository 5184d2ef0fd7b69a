/** One signal for a call: its own deadline and its caller's cancellation. */
import { setMaxListeners } from "node:events";
import type { Clock, Timer } from "#clock";

export class Deadline {
  readonly #controller: AbortController;
  readonly #clock: Clock;
  readonly #parent: AbortSignal | undefined;
  #follow: (() => void) | undefined;
  readonly #endsAt: number;
  readonly #timer: Timer;
  #passed = false;

  constructor(clock: Clock, timeoutMs: number, parent?: AbortSignal, controller = new AbortController()) {
    this.#controller = controller;
    this.#clock = clock;
    this.#parent = parent;
    this.#endsAt = clock.monotonic() + timeoutMs;
    this.#timer = clock.after(timeoutMs, () => {
      this.#passed = true;
      this.#controller.abort(new Error("the deadline passed"));
    });
    if (parent?.aborted) this.#controller.abort(parent.reason);
    else if (parent) this.#listenTo(parent);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True once the call ended by its own deadline, rather than by its caller. */
  get passed(): boolean {
    return this.#passed;
  }

  get remainingMs(): number {
    return this.#endsAt - this.#clock.monotonic();
  }

  /** Takes the deadline away; the caller's cancellation stays. */
  lift(): void {
    this.#timer.cancel();
  }

  /** Must be called when the call is over, however it ended. */
  dispose(): void {
    this.#timer.cancel();
    if (this.#follow) this.#parent?.removeEventListener("abort", this.#follow);
  }

  #listenTo(parent: AbortSignal): void {
    // Hundreds of calls may share the signal that stops the program; that is no leak.
    setMaxListeners(0, parent);
    this.#follow = () => this.#controller.abort(parent.reason);
    parent.addEventListener("abort", this.#follow);
  }
}
