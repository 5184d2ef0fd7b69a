/** A child process with its output kept, so that a failed start can say why. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";

export class ManagedProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #logFile: string;
  readonly #exited: Promise<unknown>;

  constructor(name: string, command: string, args: readonly string[], logFile: string) {
    this.name = name;
    this.#logFile = logFile;
    const log = createWriteStream(logFile, { flags: "a" });
    this.#child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#child.stdout?.pipe(log, { end: false });
    this.#child.stderr?.pipe(log, { end: false });
    // "close", not "exit": the last words of a process may still be on their way when it is gone.
    this.#exited = once(this.#child, "close").finally(() => log.end());
    children.add(this.#child);
    void this.#exited.then(() => children.delete(this.#child));
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it politely, then not; resolves when it is gone. */
  async stop(graceMs = 10_000): Promise<void> {
    if (this.running) this.signal("SIGTERM");
    const timer = setTimeout(() => this.signal("SIGKILL"), graceMs);
    await this.#exited;
    clearTimeout(timer);
  }

  async lastLines(count = 15): Promise<string> {
    const text = await readFile(this.#logFile, "utf8").catch(() => "");
    return text.trimEnd().split("\n").slice(-count).join("\n");
  }
}

const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});
