/** The three durations of an election and the rules between them; refuses what cannot keep two leaders apart. */
import { seconds } from "#clock";

export interface ElectionTiming {
  /** How long others wait after the last renewal they saw. */
  readonly leaseDurationMs: number;
  /** How long the holder goes on without a successful renewal; the rest is left for requests still under way. */
  readonly renewDeadlineMs: number;
  /** Between two attempts. */
  readonly retryPeriodMs: number;
}

export const defaultTiming: ElectionTiming = {
  leaseDurationMs: seconds(15),
  renewDeadlineMs: seconds(10),
  retryPeriodMs: seconds(2),
};

/** Attempts of a candidate are spread over one to this many retry periods, so that candidates do not march in step. */
export const JITTER = 1.2;

/** All that is wrong with a timing at once; throws nothing when it is sound. */
export function checkTiming({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: ElectionTiming): void {
  const problems = [
    !(leaseDurationMs >= 1000) && `the lease duration is at least 1000 ms, not ${leaseDurationMs}`,
    leaseDurationMs % 1000 !== 0 && `the lease duration is whole seconds on the wire, not ${leaseDurationMs} ms`,
    !(leaseDurationMs > renewDeadlineMs) &&
      `the renew deadline (${renewDeadlineMs} ms) must be shorter than the lease duration (${leaseDurationMs} ms)`,
    !(renewDeadlineMs > retryPeriodMs * JITTER) &&
      `the renew deadline (${renewDeadlineMs} ms) must be longer than ${JITTER} retry periods (${retryPeriodMs} ms each)`,
    !(retryPeriodMs > 0) && `the retry period must be positive, not ${retryPeriodMs} ms`,
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new RangeError(`leader election cannot be timed like this: ${problems.join("; ")}`);
}
