/** `npm start`: installs and builds what is missing, then runs Metalwright. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./tooling.mjs";

await ensureInstalled();
await ensureBuilt();
const args = process.argv.slice(2);
const child = spawn(process.execPath, ["--enable-source-maps", join(root, "dist", "metalwright.js"), "up", ...args], {
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
