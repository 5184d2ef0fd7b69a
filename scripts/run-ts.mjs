/** `node scripts/run-ts.mjs FILE.ts [ARGS]`: bundles one TypeScript program into .build/ and runs it with this Node. */
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { foreground } from "./foreground.mjs";
import { ensureInstalled, root } from "./tooling.mjs";

await ensureInstalled();
const { bundle } = await import("./bundle.mjs");
const [file, ...args] = process.argv.slice(2);
const dir = join(root, ".build", `${basename(file, ".ts")}-${process.pid}`);
const { program } = await bundle({ program: file }, dir);
const code = await foreground(process.execPath, ["--enable-source-maps", "--expose-gc", program, ...args], {
  cwd: root,
});
rmSync(dir, { recursive: true, force: true });
process.exit(code);
