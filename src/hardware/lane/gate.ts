/** Lets at most a few exchanges with one BMC happen at a time, the urgent ones first. Knows nothing of what they are. */
import type { Clock, Timer } from "#clock";

export interface Turn {
  /** Goes before everything that is not urgent: an action must not wait for an inventory. */
  readonly urgent?: boolean;
  readonly signal?: AbortSignal;
  /** Monotonic time after which the exchange must not start any more. */
  readonly deadlineAt?: number;
}

/** `in`: go ahead and call `leave` at the end. Otherwise nothing is held. */
export type Entry = "in" | "late" | "aborted" | "full";

interface Waiter {
  readonly turn: Turn;
  readonly admit: (entry: Entry) => void;
}

/** Far more than an inventory asks at once; beyond it somebody asks in a loop. */
const MOST_WAITING = 256;

export class Gate {
  readonly #clock: Clock;
  readonly #width: number;
  #inside = 0;
  #waiting: Waiter[] | undefined;

  constructor(clock: Clock, width: number) {
    this.#clock = clock;
    this.#width = width;
  }

  get inside(): number {
    return this.#inside;
  }

  get waiting(): number {
    return this.#waiting?.length ?? 0;
  }

  enter(turn: Turn): Promise<Entry> {
    if (turn.signal?.aborted) return Promise.resolve("aborted");
    if (this.#isLate(turn)) return Promise.resolve("late");
    if (this.#inside < this.#width) {
      this.#inside++;
      return Promise.resolve("in");
    }
    if (this.waiting >= MOST_WAITING) return Promise.resolve("full");
    return new Promise((resolve) => this.#wait(turn, resolve));
  }

  /** Gives the place to whoever waits first. */
  leave(): void {
    const next = this.#waiting?.shift();
    if (this.waiting === 0) this.#waiting = undefined;
    if (next) next.admit("in");
    else this.#inside--;
  }

  #isLate({ deadlineAt }: Turn): boolean {
    return deadlineAt !== undefined && this.#clock.monotonic() >= deadlineAt;
  }

  #wait(turn: Turn, resolve: (entry: Entry) => void): void {
    let timer: Timer | undefined;
    const onAbort = (): void => waiter.admit("aborted");
    const waiter: Waiter = {
      turn,
      admit: (entry) => {
        timer?.cancel();
        turn.signal?.removeEventListener("abort", onAbort);
        if (entry !== "in") this.#forget(waiter);
        resolve(entry);
      },
    };
    turn.signal?.addEventListener("abort", onAbort, { once: true });
    if (turn.deadlineAt !== undefined)
      timer = this.#clock.after(turn.deadlineAt - this.#clock.monotonic(), () => waiter.admit("late"));
    this.#queue(waiter);
  }

  #queue(waiter: Waiter): void {
    this.#waiting ??= [];
    const at = waiter.turn.urgent ? this.#waiting.findIndex(({ turn }) => !turn.urgent) : -1;
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, waiter);
  }

  #forget(waiter: Waiter): void {
    const left = this.#waiting?.filter((other) => other !== waiter) ?? [];
    this.#waiting = left.length > 0 ? left : undefined;
  }
}
