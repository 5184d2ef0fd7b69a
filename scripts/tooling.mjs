/** What every npm script shares: install when the lockfile changed, build when sources changed, run a child. Needs only Node. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Metalwright needs Node 20.19 or later; this is ${process.version}. Install a newer Node and try again.`,
  );
  process.exit(1);
}

/** Runs a command in the repository and ends this process with its exit code if it fails. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (done.error) {
    console.error(`could not run ${command}: ${done.error.message}`);
    process.exit(1);
  }
  if (done.status !== 0) process.exit(done.status ?? 1);
}

/** A tool out of node_modules, run with this Node. */
export function tool(name) {
  return join(root, "node_modules", ".bin", name);
}

async function stampedStep(stampFile, fingerprint, step) {
  const stamp = join(root, stampFile);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return;
  await step();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint);
}

function fingerprintOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(relative(root, file)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/**
 * Installs what the lockfile pins, but only when it is not the one installed. `npm ci` is not used: it refuses a lockfile
 * that lacks the optional binaries of other platforms, and not every registry mirror carries those.
 */
export async function ensureInstalled() {
  const lock = join(root, "package-lock.json");
  await stampedStep("node_modules/.metalwright-lock", fingerprintOf([lock]), () => {
    const npm = process.env.npm_execpath;
    const [command, args] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
    run(command, [...args, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
  });
}

/** Bundles `dist/`, but only when something it is made of changed. */
export async function ensureBuilt() {
  const inputs = [
    ...filesBelow(join(root, "src")),
    ...["package-lock.json", "scripts/bundle.mjs"].map((f) => join(root, f)),
  ];
  const { bundle } = await import("./bundle.mjs");
  await stampedStep("dist/.built-from", fingerprintOf(inputs), () =>
    bundle({ metalwright: "src/cli/main.ts" }, join(root, "dist")),
  );
}
