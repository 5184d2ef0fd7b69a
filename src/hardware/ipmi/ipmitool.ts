/** Runs `ipmitool` once: a command in, its output or a failure out. The password travels in the environment, never in argv. */
import { spawn } from "node:child_process";
import type { Clock } from "#clock";
import { type Credentials, failure, type Outcome, success } from "#redfish";

export interface IpmiTarget {
  readonly host: string;
  readonly port: number;
  readonly cipherSuite?: number;
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** `ipmitool` unless it is elsewhere. */
  readonly executable?: string;
}

export interface IpmiCommand {
  /** Such as ["chassis", "power", "status"]. */
  readonly args: readonly string[];
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

const refusedLogin =
  /RAKP 2 (HMAC is invalid|message indicates an error)|unauthorized name|invalid user name|password (error|invalid)|Insufficient privilege/i;
const silent =
  /Unable to establish (IPMI v2 \/ RMCP\+|LAN) session|Get Auth Capabilities|no response|Could not open socket|Address lookup/i;

/** Never rejects: a BMC that does not answer, and a tool that is not there, are failures to branch on. */
export function runIpmitool(target: IpmiTarget, command: IpmiCommand): Promise<Outcome<string>> {
  const attempt = `ipmitool ${command.args.join(" ")} on ${target.host}:${target.port}`;
  const timeoutMs = command.timeoutMs ?? TIMEOUT_MS;
  return new Promise((resolve) => {
    const child = spawn(target.executable ?? "ipmitool", argumentsOf(target, command), {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, LANG: "C", IPMITOOL_PASSWORD: target.credentials.password() },
    });
    let ended: Outcome<string> | undefined;
    const stop = (why: Outcome<string>): void => {
      ended ??= why;
      child.kill("SIGKILL");
    };
    const onAbort = (): void => stop(failure("ConnectionLost", `${attempt}: called off`));
    const timer = target.clock.after(timeoutMs, () =>
      stop(failure("TimedOut", `${attempt}: no answer within ${timeoutMs} ms`)),
    );
    if (command.signal?.aborted) onAbort();
    else command.signal?.addEventListener("abort", onAbort, { once: true });
    const finish = (outcome: Outcome<string>): void => {
      timer.cancel();
      command.signal?.removeEventListener("abort", onAbort);
      resolve(ended ?? outcome);
    };
    const output = collect(child.stdout, () => stop(failure("BrokenAnswer", `${attempt}: endless output`)));
    const errors = collect(child.stderr, () => undefined);
    child.on("error", (error) => finish(notStarted(attempt, error, target.executable)));
    child.on("close", (code) => finish(code === 0 ? success(output()) : refusal(attempt, errors() || output())));
  });
}

function argumentsOf({ host, port, credentials, cipherSuite }: IpmiTarget, { args }: IpmiCommand): string[] {
  const patience = ["-N", "3", "-R", "2"];
  // Only the verbose tool tells a refused password from a silent BMC; of other commands it changes the output.
  const verbose = args[0] === "chassis" || args[0] === "mc" ? ["-v"] : [];
  const how = ["-E", ...(cipherSuite === undefined ? [] : ["-C", String(cipherSuite)]), ...patience, ...verbose];
  return ["-I", "lanplus", "-H", host, "-p", String(port), "-U", credentials.username, ...how, ...args];
}

function collect(stream: NodeJS.ReadableStream, tooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_OUTPUT_BYTES) tooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function notStarted(attempt: string, error: Error, executable = "ipmitool"): Outcome<never> {
  const missing = (error as { code?: string }).code === "ENOENT";
  const advice = missing ? `${executable} is not installed; install the package "ipmitool"` : error.message;
  return failure("NotSupported", `${attempt}: ${advice}`);
}

function refusal(attempt: string, said: string): Outcome<never> {
  const text = said
    .replace(/Loading IANA PEN Registry\.*|Unable to Get Channel Cipher Suites/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);
  const code = refusedLogin.test(said) ? "Unauthorized" : silent.test(said) ? "Unreachable" : "Refused";
  return failure(code, `${attempt}: ${text || "failed without a word"}`);
}
