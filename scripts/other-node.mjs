/** A Node of another major version out of the npm registry, kept outside the repository, for proving that we run on it. */
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./tooling.mjs";

/** The path of Node `major`, installing it on first use. Only Linux has such packages. */
export function otherNode(major) {
  if (process.platform !== "linux") {
    console.error(`--node ${major} works on Linux only; run the suite with that Node yourself instead.`);
    process.exit(2);
  }
  const { METALWRIGHT_CACHE, XDG_CACHE_HOME } = process.env;
  const cache = METALWRIGHT_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "metalwright");
  const folder = join(cache, `node-${major}`);
  const name = `node-linux-${process.arch}`;
  const node = join(folder, "node_modules", name, "bin", "node");
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    run("npm", [
      "install",
      "--prefix",
      folder,
      "--no-save",
      "--ignore-scripts",
      "--loglevel=error",
      `${name}@${major}`,
    ]);
  }
  return node;
}
