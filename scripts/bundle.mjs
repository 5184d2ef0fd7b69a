/** Bundles TypeScript programs of this repository with rolldown; packages out of node_modules stay imports. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./tooling.mjs";

/** Everything that is neither relative, absolute nor one of our rooms comes from node_modules. */
const isPackage = (id) => !/^[./#]/.test(id) && !/^[A-Za-z]:/.test(id);

/** Writes `entries` (name → file) as ES modules into `dir` and returns name → written file. */
export async function bundle(entries, dir) {
  const { rolldown } = await import(createRequire(join(root, "package.json")).resolve("rolldown"));
  const build = await rolldown({ cwd: root, input: entries, platform: "node", external: isPackage, logLevel: "warn" });
  const { output } = await build.write({ dir, format: "esm", sourcemap: true, cleanDir: true });
  await build.close();
  return Object.fromEntries(output.filter((o) => o.isEntry).map((o) => [o.name, join(dir, o.fileName)]));
}
