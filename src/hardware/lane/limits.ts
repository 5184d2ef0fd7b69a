/** One signal for all that can end an exchange early: its caller, its deadline, the end of the lane. */
import { setMaxListeners } from "node:events";
import type { Clock } from "#clock";

export interface Limits {
  readonly signal: AbortSignal;
  /** Whether it was the deadline that ended it. */
  readonly late: () => boolean;
  readonly abort: (reason: Error) => void;
  /** Lets go of what it listens to; a long-lived signal would otherwise keep every exchange. */
  readonly done: () => void;
}

const LATE = new Error("the deadline of the operation passed");

export function limits(clock: Clock, deadlineAt: number, caller?: AbortSignal): Limits {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) onAbort();
  else if (caller) {
    // One signal may end a thousand exchanges: that is no leak, and Node need not warn of it.
    setMaxListeners(0, caller);
    caller.addEventListener("abort", onAbort, { once: true });
  }
  const timer = clock.after(deadlineAt - clock.monotonic(), () => controller.abort(LATE));
  return {
    signal: controller.signal,
    late: () => controller.signal.aborted && controller.signal.reason === LATE,
    abort: (reason) => controller.abort(reason),
    done: () => {
      timer.cancel();
      caller?.removeEventListener("abort", onAbort);
    },
  };
}

/** What the promise comes to, or `otherwise` as soon as the signal is aborted; the promise itself goes on. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal, otherwise: () => T): Promise<T> {
  if (signal.aborted) return Promise.resolve(otherwise());
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(otherwise());
    signal.addEventListener("abort", onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
