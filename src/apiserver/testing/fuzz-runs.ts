/** How many cases a fuzz test tries: 10,000, or what METALWRIGHT_FUZZ_RUNS says for a longer look. */
export const fuzzRuns = Number(process.env.METALWRIGHT_FUZZ_RUNS ?? 10_000);

/** Time enough for them on a busy machine. */
export const fuzzTimeoutMs = Math.max(60_000, fuzzRuns * 10);
