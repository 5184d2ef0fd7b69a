/** `metalwright apiserver` as a process of its own: started, killed, started again on the same port and data. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Client, Pool } from "undici";
import { parse } from "yaml";
import { systemClock } from "#clock";

const PROGRAM = resolve("dist/metalwright.js");
const READY = /ready at https:\/\/127\.0\.0\.1:(\d+)/;
const START_DEADLINE_MS = 30_000;

export interface ServerOptions {
  /** Another build of the command than the one in dist/. */
  readonly program?: string;
  /** A command that runs the server under it: strace and its flags. */
  readonly under?: readonly string[];
}

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

export class ServerProcess {
  readonly directory = mkdtempSync(join(tmpdir(), "metalwright-embedded-"));
  readonly data = join(this.directory, "data");
  readonly kubeconfig = join(this.data, "kubeconfig");
  readonly #options: ServerOptions;
  #port = 0;
  #child: ChildProcess | undefined;
  #ended: Promise<Outcome> | undefined;

  constructor(options: ServerOptions = {}) {
    this.#options = options;
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number {
    return this.#child?.pid ?? -1;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** Starts it and resolves when it is ready; throws with its output when it ends instead. */
  async start(): Promise<void> {
    const ended = this.#spawn();
    const ready = new Promise<void>((done) => {
      let text = "";
      this.#child?.stdout?.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const [, port] = READY.exec(text) ?? [];
        if (port) {
          this.#port = Number(port);
          done();
        }
      });
    });
    const late = systemClock.sleep(START_DEADLINE_MS).then(() => ({ code: null, output: "not ready in time" }));
    const failed = await Promise.race([ready, ended, late]);
    if (failed) throw new Error(`the API server did not start (code ${failed.code}): ${failed.output}`);
  }

  /** Starts it where it is expected to refuse, and waits for its end. */
  refusal(data = this.data): Promise<Outcome> {
    return this.#spawn(data);
  }

  /** Ends it with a signal and waits until it is gone. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<Outcome | undefined> {
    if (this.#child?.exitCode === null) this.#child.kill(signal);
    return this.#ended;
  }

  /** Ends it and removes everything it kept. */
  async dispose(): Promise<void> {
    await this.kill("SIGKILL");
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A connection pool with the administrator's certificate. */
  pool(options: Partial<Client.Options> & { readonly connections?: number } = {}): Pool {
    const { clusters, users } = parse(readFileSync(this.kubeconfig, "utf8"));
    const decode = (text: string): string => Buffer.from(text, "base64").toString("utf8");
    const { user } = users[0];
    return new Pool(this.url, {
      ...options,
      connect: {
        ca: decode(clusters[0].cluster["certificate-authority-data"]),
        cert: decode(user["client-certificate-data"]),
        key: decode(user["client-key-data"]),
      },
    });
  }

  #spawn(data = this.data): Promise<Outcome> {
    const { under = [], program = PROGRAM } = this.#options;
    const flags = ["apiserver", "--data", data, "--port", String(this.#port)];
    const [command = "", ...args] = [...under, process.execPath, program, ...flags];
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    this.#child = child;
    this.#ended = new Promise((done, fail) => {
      child.once("error", fail);
      child.once("close", (code) => done({ code, output }));
    });
    return this.#ended;
  }
}
