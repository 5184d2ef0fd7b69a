/** `node scripts/run-ts.mjs FILE.ts [ARGS]`: bundles one TypeScript program into .build/ and runs it with this Node. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { ensureInstalled, root } from "./tooling.mjs";

await ensureInstalled();
const { bundle } = await import("./bundle.mjs");
const [file, ...args] = process.argv.slice(2);
const name = basename(file, ".ts");
const dir = join(root, ".build", `${name}-${process.pid}`);
const { program } = await bundle({ program: file }, dir);
const child = spawn(process.execPath, ["--enable-source-maps", "--expose-gc", program, ...args], {
  cwd: root,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  rmSync(dir, { recursive: true, force: true });
  process.exit(code ?? (signal ? 1 : 0));
});
