/** `npm test`: everything that needs only Node. `-- --node 24` proves it on another Node; other arguments go to vitest. */
import { otherNode } from "./other-node.mjs";
import { ensureBuilt, ensureInstalled, run, tool } from "./tooling.mjs";

await ensureInstalled();
await ensureBuilt();
const args = process.argv.slice(2);
const at = args.indexOf("--node");
const node = at < 0 ? process.execPath : otherNode(args.splice(at, 2)[1]);
// Every core: by itself vitest leaves one idle, which on two cores is half of them.
run(node, [tool("vitest"), "run", "--project", "node", "--maxWorkers=100%", ...args]);
