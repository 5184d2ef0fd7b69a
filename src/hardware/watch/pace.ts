/** How long to wait before a BMC is asked again. A pure decision; the watch keeps the time. */
import { minutes, type Random, seconds } from "#clock";

export interface PaceFacts {
  /** A controller expects a change, or what was seen last is not certain yet. */
  readonly expecting: boolean;
  /** The BMC tells us by itself when something happens, and lately did. */
  readonly events: boolean;
  /** Reads that failed in a row. */
  readonly failures: number;
  /** How long the BMC or its breaker wants to be left alone. */
  readonly retryAfterMs?: number;
}

export const pace = {
  expectingMs: seconds(2),
  idleMs: minutes(1),
  withEventsMs: minutes(10),
  longestAfterFailureMs: minutes(5),
} as const;

/** Never sooner than the pace allows: chance only adds, so that a fleet does not beat in step. */
export function nextPollMs({ expecting, events, failures, retryAfterMs = 0 }: PaceFacts, random: Random): number {
  const usual = expecting ? pace.expectingMs : events ? pace.withEventsMs : pace.idleMs;
  const backedOff = failures === 0 ? usual : Math.min(pace.longestAfterFailureMs, usual * 2 ** Math.min(failures, 8));
  return Math.max(backedOff, retryAfterMs) * (1 + random.next() * 0.1);
}
