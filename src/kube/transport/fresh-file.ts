/** A small file that others replace while we run: tokens and certificates. It must never print what it read. */
import { readFile } from "node:fs/promises";
import { type Clock, seconds } from "#clock";
import { CredentialError } from "./credential-error.ts";

/** Kubelet rewrites bound tokens long before they end, so this age is safe and costs a read now and then. */
const MAX_AGE_MS = seconds(10);

export class FreshFile {
  readonly #path: string;
  readonly #clock: Clock;
  #content: string | undefined;
  #readAt = 0;
  #reading: Promise<string> | undefined;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  /** The content, at most ten seconds old; a plain value when nothing had to be read. */
  current(): string | Promise<string> {
    const fresh = this.#content !== undefined && this.#clock.monotonic() - this.#readAt < MAX_AGE_MS;
    return fresh ? (this.#content as string) : this.reread();
  }

  /** The content as it is now. When it cannot be read any more, what was read last stays in use. */
  reread(): Promise<string> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<string> {
    try {
      this.#content = await readFile(this.#path, "utf8");
    } catch (error) {
      const word = (error as NodeJS.ErrnoException).code ?? "unreadable";
      if (this.#content === undefined)
        throw new CredentialError(
          `cannot read ${this.#path} (${word}), which the configuration names; check that it is there and readable`,
        );
    }
    this.#readAt = this.#clock.monotonic();
    return this.#content as string;
  }
}
