/** `npm run bench`: builds first, because some benchmarks measure what is shipped. */
import { ensureBuilt, ensureInstalled, run } from "./tooling.mjs";

await ensureInstalled();
await ensureBuilt();
run(process.execPath, ["scripts/run-ts.mjs", "bench/run.ts", ...process.argv.slice(2)]);
