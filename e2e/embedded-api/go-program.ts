/** Builds a small Go module of this folder, once per machine and content. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../tools/cache.ts";

/** The path of the program in `module`, building it when this content was not built before (a minute or two). */
export async function buildGoProgram(module: string): Promise<string> {
  const hash = createHash("sha256");
  for (const file of readdirSync(module).sort()) hash.update(file).update(readFileSync(join(module, file)));
  const folder = cacheFolder("embedded-api", hash.digest("hex").slice(0, 12));
  const program = join(folder, "program");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  const env = { ...process.env, CGO_ENABLED: "0" };
  await promisify(execFile)("go", ["build", "-trimpath", "-ldflags", "-s -w", "-o", unfinished, "."], {
    cwd: module,
    env,
  });
  // Renamed into place so that a build cut off half-way never looks finished.
  renameSync(unfinished, program);
  return program;
}
