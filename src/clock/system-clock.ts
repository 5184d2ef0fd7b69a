/** The real clock and real randomness: the only place that touches them. */
import type { Clock, Random, Timer } from "./clock.ts";
import { sleepOn } from "./sleep.ts";

/** setTimeout fires at once beyond this many milliseconds, so longer delays are taken in stages. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

function after(delayMs: number, run: () => void): Timer {
  let handle: NodeJS.Timeout;
  const arm = (leftMs: number): void => {
    const step = Math.min(Math.max(leftMs, 0), LONGEST_TIMEOUT_MS);
    handle = setTimeout(() => (leftMs > step ? arm(leftMs - step) : run()), step);
  };
  arm(delayMs);
  return { cancel: () => clearTimeout(handle) };
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  after,
  sleep: (delayMs, signal) => sleepOn(systemClock, delayMs, signal),
};

export const systemRandom: Random = { next: Math.random };
