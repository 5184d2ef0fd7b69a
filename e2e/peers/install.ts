/** Other people's Redfish clients, installed once from PyPI into the cache: pinned, outside the repository. */
import { execFile } from "node:child_process";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../tools/cache.ts";

const run = promisify(execFile);
const packages = ["sushy==5.14.0", "redfishtool==1.1.8", "redfish_protocol_validator==1.3.2"];
const INSTALL_DEADLINE_MS = 300_000;

export interface Peers {
  readonly python: string;
  readonly redfishtool: string;
  readonly protocolValidator: string;
}

/** Rejects, naming what is missing, when there is no Python or PyPI cannot be reached. */
export async function installPeers(): Promise<Peers> {
  const program = await environmentWith(packages);
  return {
    python: program("python"),
    redfishtool: program("redfishtool"),
    protocolValidator: program("rf_protocol_validator"),
  };
}

/** Where a program of a virtual environment with exactly these packages is; made when it is not there yet. */
export async function environmentWith(wanted: readonly string[]): Promise<(name: string) => string> {
  const folder = cacheFolder("peers", wanted.join("+"));
  const ready = await access(join(folder, "ready")).then(
    () => true,
    () => false,
  );
  if (!ready) await install(folder, wanted);
  return (name) => join(folder, "bin", name);
}

/** A virtual environment knows its own path, so it is made in place; "ready" is the last thing to appear. */
async function install(folder: string, wanted: readonly string[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const options = { timeout: INSTALL_DEADLINE_MS };
  await run("python3", ["-m", "venv", folder], options).catch(explain("python3 with its venv module"));
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...wanted];
  await run(join(folder, "bin", "python"), pip, options).catch(explain(`${wanted.join(" and ")} from PyPI`));
  await mkdir(join(folder, "making"));
  await rename(join(folder, "making"), join(folder, "ready"));
}

function explain(what: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`the peers' suite needs ${what}: ${error instanceof Error ? error.message : String(error)}`);
  };
}
