/** Keeps a plugin's credential until it is about to expire, and runs the plugin for all who wait, once. */
import { type Clock, type Random, seconds } from "#clock";
import { CredentialError } from "./credential-error.ts";
import type { ExecCredential } from "./exec-credential.ts";

/** Renewed this long before it expires, plus up to as much again, so that many clients do not renew at once. */
const SKEW_MS = seconds(30);
/** Neither a server that refuses every credential nor a plugin that fails makes us run it for every request. */
const RENEW_AT_MOST_EVERY_MS = seconds(10);

export class ExecCredentials {
  readonly #run: () => Promise<ExecCredential>;
  readonly #clock: Clock;
  readonly #random: Random;
  #held: { readonly credential: ExecCredential; readonly renewAt: number; readonly expires: number } | undefined;
  #running: Promise<ExecCredential> | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(run: () => Promise<ExecCredential>, clock: Clock, random: Random) {
    this.#run = run;
    this.#clock = clock;
    this.#random = random;
  }

  /** At once while the credential is valid: one that is about to expire is renewed behind the scenes. */
  current(): ExecCredential | Promise<ExecCredential> {
    const held = this.#held;
    const now = this.#clock.now().getTime();
    if (!held || now >= held.expires) return this.#obtain();
    if (now >= held.renewAt) this.#renewAhead();
    return held.credential;
  }

  /** The server refused `rejected`: obtains another, unless that has just been done or tried. */
  async renew(rejected: ExecCredential): Promise<void> {
    if (this.#held?.credential !== rejected && !this.#running) return;
    const now = this.#clock.monotonic();
    if (!this.#running && now - this.#renewedAt < RENEW_AT_MOST_EVERY_MS) return;
    this.#renewedAt = now;
    await this.#obtain();
  }

  /** A plugin that fails or hangs now costs nobody anything; once the credential has expired its error is everybody's. */
  #renewAhead(): void {
    const now = this.#clock.monotonic();
    if (this.#running || now - this.#renewedAt < RENEW_AT_MOST_EVERY_MS) return;
    this.#renewedAt = now;
    this.#obtain().catch(() => {});
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
    this.#held = { credential, renewAt: expires - SKEW_MS * (1 + this.#random.next()), expires };
    return credential;
  }
}
