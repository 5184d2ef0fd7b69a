/** The election's pace in these scenarios: quick enough to watch, slow enough for a busy machine to keep. */
export const timing = { leaseDurationMs: 5_000, renewDeadlineMs: 4_000, retryPeriodMs: 500 };
