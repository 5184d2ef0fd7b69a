/** kubectl as a user runs it, and where to get two ages of it from. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../tools/cache.ts";
import { installControlPlane } from "../control-plane/install.ts";
import type { ServerProcess } from "./server-process.ts";

export interface Outcome {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

export type Kubectl = (...args: readonly string[]) => Promise<Outcome>;

const DEADLINE_MS = 60_000;

/** Runs `program` against a server with a home of its own; never throws for an exit code. */
export function kubectlAt(program: string, server: ServerProcess, env: Readonly<Record<string, string>> = {}): Kubectl {
  const home = mkdtempSync(join(server.directory, "home-"));
  const all = { ...process.env, HOME: home, KUBECONFIG: server.kubeconfig, ...env };
  return async (...args) => {
    try {
      const { stdout, stderr } = await promisify(execFile)(program, args, { env: all, timeout: DEADLINE_MS });
      return { out: stdout, err: stderr, code: 0 };
    } catch (error) {
      const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
      return { out: stdout, err: stderr, code };
    }
  };
}

/** kubectl of the release the embedded API speaks, built from its Go module. */
export async function currentKubectl(): Promise<string> {
  return process.env.METALWRIGHT_KUBECTL ?? (await installControlPlane(console.error)).kubectl;
}

/** kubectl of Debian 12 (1.20), unpacked beside the system and not into it; undefined where no archive offers it. */
export function debianKubectl(): string | undefined {
  const folder = cacheFolder("embedded-api", "debian-kubectl");
  const program = join(folder, "usr", "bin", "kubectl");
  if (existsSync(program)) return program;
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    execFileSync("apt-get", ["download", "kubernetes-client"], { cwd: work, stdio: "ignore" });
    const [archive = ""] = readdirSync(work);
    execFileSync("dpkg-deb", ["-x", join(work, archive), join(work, "unpacked")]);
    renameSync(join(work, "unpacked"), folder);
    return program;
  } catch {
    return undefined;
  }
}
