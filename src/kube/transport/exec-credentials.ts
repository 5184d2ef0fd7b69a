/** Keeps a plugin's credential until it is about to expire, and runs the plugin for all who wait, once. */
import { type Clock, type Random, seconds } from "#clock";
import { CredentialError } from "./credential-error.ts";
import type { ExecCredential } from "./exec-credential.ts";

/** Renewed this long before it expires, plus up to as much again, so that many clients do not renew at once. */
const SKEW_MS = seconds(30);
/** A server that refuses every credential must not make us run the plugin for every request. */
const RENEW_AT_MOST_EVERY_MS = seconds(10);

export class ExecCredentials {
  readonly #run: () => Promise<ExecCredential>;
  readonly #clock: Clock;
  readonly #random: Random;
  #held: { readonly credential: ExecCredential; readonly renewAt: number } | undefined;
  #running: Promise<ExecCredential> | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(run: () => Promise<ExecCredential>, clock: Clock, random: Random) {
    this.#run = run;
    this.#clock = clock;
    this.#random = random;
  }

  current(): ExecCredential | Promise<ExecCredential> {
    const held = this.#held;
    return held && this.#clock.now().getTime() < held.renewAt ? held.credential : this.#obtain();
  }

  /** The server refused `rejected`: obtains another, unless that has just been done or tried. */
  async renew(rejected: ExecCredential): Promise<void> {
    if (this.#held?.credential !== rejected && !this.#running) return;
    const now = this.#clock.monotonic();
    if (!this.#running && now - this.#renewedAt < RENEW_AT_MOST_EVERY_MS) return;
    this.#renewedAt = now;
    await this.#obtain();
  }

  #obtain(): Promise<ExecCredential> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runOnce(): Promise<ExecCredential> {
    const credential = await this.#run();
    const expires = credential.expires?.getTime() ?? Number.POSITIVE_INFINITY;
    if (expires <= this.#clock.now().getTime())
      throw new CredentialError(
        `the credential plugin returned a credential that expired at ${credential.expires?.toISOString()}; log in again, or check this machine's clock`,
      );
    this.#held = { credential, renewAt: expires - SKEW_MS * (1 + this.#random.next()) };
    return credential;
  }
}
