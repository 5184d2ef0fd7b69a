/** `npm run test:kube`: the suites that run on the real control plane, which is installed once and started for them. */
import { ensureBuilt, ensureInstalled, run, tool } from "./tooling.mjs";

await ensureInstalled();
await ensureBuilt();
run(process.execPath, [
  "scripts/run-ts.mjs",
  "tools/kube.ts",
  "--run",
  process.execPath,
  tool("vitest"),
  "run",
  "--project",
  "kube",
  // One control plane for all: files that install the same kinds must not meet.
  "--no-file-parallelism",
  ...process.argv.slice(2),
]);
