/** Brings a real API server to where the examples can be applied. For tests only. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { examplesFolder } from "./manifests.ts";

const run = promisify(execFile);
const crds = join(examplesFolder, "../deploy/crds");

/** The kubectl that belongs to the control plane of `npm run kube`, or the one on the path. */
export function kubectl(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return run(process.env.METALWRIGHT_KUBECTL ?? "kubectl", args);
}

/** Installs every CRD, waits until all are served, and makes the namespace of the examples. */
export async function installCrds(): Promise<void> {
  await kubectl("apply", "--server-side", "--force-conflicts", "-f", crds);
  await kubectl("wait", "--for=condition=Established", "--timeout=60s", "-f", crds);
  await kubectl("apply", "--server-side", "--force-conflicts", "-f", join(examplesFolder, "00-namespace.yaml"));
}
