/** Builds a real etcd, kube-apiserver, kube-controller-manager and kubectl from their Go modules, once per machine. */
import { type SpawnOptions, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { access, copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../../tools/cache.ts";

const VERSION = "v1.36.3";
const MODULE = "e2e/control-plane";
const PROGRAMS = {
  etcd: "go.etcd.io/etcd/server/v3",
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
  "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
  kubectl: "k8s.io/kubernetes/cmd/kubectl",
} as const;

export type Program = keyof typeof PROGRAMS;

/** The path of each program, building those that are not in the cache yet (about ten minutes on two cores). */
export async function installControlPlane(log: (line: string) => void): Promise<Record<Program, string>> {
  const sources = await Promise.all(["go.mod", "go.sum"].map((file) => readFile(join(MODULE, file))));
  const fingerprint = createHash("sha256").update(Buffer.concat(sources)).digest("hex").slice(0, 12);
  const bin = cacheFolder("control-plane", `${VERSION}-${fingerprint}`);
  const paths = {} as Record<Program, string>;
  for (const program of Object.keys(PROGRAMS) as Program[]) {
    paths[program] = join(bin, program);
    if (!(await exists(paths[program]))) await build(program, bin, log);
  }
  return paths;
}

async function build(program: Program, bin: string, log: (line: string) => void): Promise<void> {
  log(`building ${program} ${VERSION} from its Go module (once; cached in ${bin})`);
  const work = cacheFolder("control-plane", `build-${process.pid}`);
  await mkdir(work, { recursive: true });
  await mkdir(bin, { recursive: true });
  try {
    for (const file of ["go.mod", "go.sum"]) await copyFile(join(MODULE, file), join(work, file));
    const out = join(work, program);
    const args = ["build", "-mod=mod", "-trimpath", "-ldflags", linkerFlags(), "-o", out, PROGRAMS[program]];
    await run("go", args, {
      cwd: work,
      env: { ...process.env, CGO_ENABLED: "0" },
      stdio: ["ignore", "inherit", "inherit"],
    });
    // Renamed into place so that a build cut off half-way never looks finished.
    await rename(out, join(bin, program));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Without these stamps the server reports a version that clients cannot parse. */
function linkerFlags(): string {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(VERSION) ?? [];
  const stamps = {
    gitVersion: VERSION,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: "clean",
    gitCommit: "none",
    buildDate: "2026-01-01T00:00:00Z",
  };
  const flags = Object.entries(stamps).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return ["-s", "-w", ...flags].join(" ");
}

function run(command: string, args: readonly string[], options: SpawnOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    child.on("error", (error) =>
      reject(
        new Error(
          `the control plane is built with Go 1.26 or later, which could not be run (${error.message}); install Go and try again`,
        ),
      ),
    );
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args[0]} ended with code ${code}; its output is above`)),
    );
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
