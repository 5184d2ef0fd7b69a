/** `npm test`: everything that needs only Node. Arguments go to vitest. */
import { ensureBuilt, ensureInstalled, run, tool } from "./tooling.mjs";

await ensureInstalled();
await ensureBuilt();
run(process.execPath, [tool("vitest"), "run", "--project", "node", ...process.argv.slice(2)]);
