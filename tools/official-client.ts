/** The official JavaScript client, installed once outside the repository: it is compared with, never depended on. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheFolder } from "./cache.ts";

const PACKAGE = "@kubernetes/client-node";
const VERSION = "1.4.0";

/** Its module, for `import()`. */
export function officialClient(): string {
  const folder = cacheFolder("bench-peers", `client-node-${VERSION}`);
  const entry = join(folder, "node_modules", PACKAGE, "dist", "index.js");
  if (!existsSync(entry)) {
    mkdirSync(folder, { recursive: true });
    const npm = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
    execFileSync("npm", [...npm, `${PACKAGE}@${VERSION}`], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return pathToFileURL(entry).href;
}
