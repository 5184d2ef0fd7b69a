/** `npm start`: installs and builds what is missing, then runs Metalwright. */
import { join } from "node:path";
import { foreground } from "./foreground.mjs";
import { ensureBuilt, ensureInstalled, root } from "./tooling.mjs";

await ensureInstalled();
await ensureBuilt();
const program = join(root, "dist", "metalwright.js");
process.exit(await foreground(process.execPath, ["--enable-source-maps", program, "up", ...process.argv.slice(2)]));
