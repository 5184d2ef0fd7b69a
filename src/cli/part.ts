/** One of the programs that `metalwright up` runs: started, waited for until it is ready, ended politely. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readyIn } from "./ready.ts";

const READY_WITHIN_MS = 60_000;
const GRACE_MS = 10_000;

export class Part {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  #lastWords = "";

  constructor(name: string, args: readonly string[]) {
    this.name = name;
    // Its own process group: Ctrl-C reaches this program, which ends its parts in order.
    const options = { stdio: ["ignore", "ignore", "pipe", "ipc"], detached: true } as const;
    this.#child = fork(process.argv[1] as string, [name, ...args], { ...options, stdio: [...options.stdio] });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-2000);
    });
    this.#ended = once(this.#child, "exit").then(([code, signal]) => this.#describeEnd(code ?? signal));
  }

  /** What it says of itself once it is ready; rejects with its last words when it ends or dawdles instead. */
  async ready(): Promise<Readonly<Record<string, unknown>>> {
    const signal = AbortSignal.timeout(READY_WITHIN_MS);
    const late = once(signal, "abort").then(() => `${this.name} was not ready within ${READY_WITHIN_MS / 1000} s`);
    const said = new Promise<Readonly<Record<string, unknown>>>((resolve) => {
      this.#child.on("message", (message) => {
        const where = readyIn(message);
        if (where) resolve(where);
      });
    });
    const first = await Promise.race([said, this.#ended, late]);
    if (typeof first === "string") throw new Error(first);
    return first;
  }

  /** Resolves with a sentence when it ends, for whatever reason. */
  get ended(): Promise<string> {
    return this.#ended;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), GRACE_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  #describeEnd(how: number | string): string {
    const words = this.#lastWords.trim();
    return `${this.name} ended (${how})${words === "" ? "" : `: ${words}`}`;
  }
}
