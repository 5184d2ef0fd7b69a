/** Runs a credential plugin once and reads its answer. It must never print a token or key. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "#clock";
import type { ExecConfig } from "../config/connection-config.ts";
import { CredentialError } from "./credential-error.ts";
import { decodeExecCredential, type ExecCredential } from "./exec-credential.ts";

/** More than any credential needs; a plugin that goes on writing is ended. */
const MAX_OUTPUT_BYTES = 1_048_576;
const MAX_COMPLAINT_CHARS = 300;

/** The cluster as plugins that set `provideClusterInfo` want to see it. */
export type ClusterInfo = Readonly<Record<string, unknown>>;

export interface PluginRun {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined unless the plugin asked for it. */
  readonly cluster: ClusterInfo | undefined;
  /** Whether a person sits at our standard input. */
  readonly terminal: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Rejects with a {@link CredentialError} when there is no plugin, it fails, hangs or answers nonsense. */
export async function runExecPlugin(exec: ExecConfig, run: PluginRun): Promise<ExecCredential> {
  const interactive = exec.interactiveMode !== "Never" && run.terminal;
  if (exec.interactiveMode === "Always" && !run.terminal)
    throw new CredentialError(
      `credential plugin ${exec.command} needs a terminal (interactiveMode Always), and there is none`,
    );
  const child = spawn(exec.command, exec.args, {
    env: { ...run.env, ...exec.env, KUBERNETES_EXEC_INFO: execInfo(exec, interactive, run.cluster) },
    stdio: [interactive ? "inherit" : "ignore", "pipe", "pipe"],
    // A group of its own, so that what the plugin started ends with it; a terminal is lent only within ours.
    detached: !interactive,
  });
  const output = await outputOf(child, exec, run);
  return decodeExecCredential(output, exec);
}

function execInfo(exec: ExecConfig, interactive: boolean, cluster: ClusterInfo | undefined): string {
  return JSON.stringify({
    apiVersion: exec.apiVersion,
    kind: "ExecCredential",
    spec: { interactive, ...(cluster && { cluster }) },
  });
}

function outputOf(child: ChildProcess, exec: ExecConfig, run: PluginRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = "";
    const settle = (error?: CredentialError): void => {
      timer.cancel();
      run.signal.removeEventListener("abort", onAbort);
      if (error) {
        end(child);
        reject(error);
      } else resolve(Buffer.concat(chunks).toString("utf8"));
    };
    const fail = (what: string): void => settle(new CredentialError(`credential plugin ${exec.command} ${what}`));
    const onAbort = (): void => fail("was ended because the connection is closed");
    const timer = run.clock.after(run.timeoutMs, () =>
      fail(`gave no answer within ${run.timeoutMs} ms and was ended; run it by hand to see what it waits for`),
    );
    run.signal.addEventListener("abort", onAbort, { once: true });
    child.stdout?.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) fail("wrote more than 1 MiB, which is no credential");
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString("utf8")).slice(-MAX_COMPLAINT_CHARS);
    });
    child.once("error", (error: NodeJS.ErrnoException) => fail(`could not be started (${error.code})${hint(exec)}`));
    child.once("close", (code, signal) => {
      if (code === 0) return settle();
      const said = complaint.trim() === "" ? "" : `: ${complaint.trim()}`;
      fail(`ended with ${signal ?? `code ${code}`}${said}${hint(exec)}`);
    });
  });
}

function hint({ installHint }: ExecConfig): string {
  return installHint ? `\n${installHint}` : "";
}

function end(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Not a group of its own, or gone already.
    child.kill("SIGKILL");
  }
}
