/** `npm run test:peers`: other people's Redfish clients against the fleet; they are installed once, from PyPI, into the cache. */
import { ensureInstalled, run, tool } from "./tooling.mjs";

await ensureInstalled();
run(process.execPath, [tool("vitest"), "run", "--project", "peers", "--no-file-parallelism", ...process.argv.slice(2)]);
