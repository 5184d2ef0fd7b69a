/**
 * Our standing with one BMC: one session for all, its renewal, what a crash left behind, and what to do when every slot
 * is taken. A refused password is not tried again by this object; new credentials get a new one.
 */
import type { Clock } from "#clock";
import {
  type Answer,
  type CallOptions,
  type Credentials,
  failure,
  type OpenStream,
  type Outcome,
  type RedfishRequest,
  Session,
  type SessionOptions,
} from "#redfish";
import type { SessionMode } from "../lane/lane-metrics.ts";
import { OwnSessions } from "./own-sessions.ts";

export interface AccessOptions {
  readonly wire: SessionOptions["connection"];
  readonly clock: Clock;
  readonly credentials: Credentials;
  /** Told of every address that may be ours, to be kept where a crash does not reach. */
  readonly onSessions?: (uris: readonly string[]) => void;
  readonly onMode?: (from: SessionMode | undefined, to: SessionMode | undefined) => void;
  /** Told when every slot is taken, and when no longer (undefined). */
  readonly onFull?: (message: string | undefined) => void;
  readonly onRefused?: (message: string) => void;
}

/** So long a BMC whose slots were all taken is not asked for a session again. */
const FULL_FOR_MS = 60_000;

export class Access {
  readonly #options: AccessOptions;
  readonly #session: Session;
  readonly #own: OwnSessions;
  #mode: SessionMode = "none";
  #openedAt = 0;
  #endingByUs = false;
  #fullUntil: number | undefined;
  #basicRefused: string | undefined;

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#own = new OwnSessions(options.credentials.username, options.clock, options.onSessions);
    this.#session = new Session({
      connection: { send: (request) => this.#watchLogin(request), stream: (request) => options.wire.stream(request) },
      credentials: options.credentials,
      onSession: (uri) => this.#onSession(uri),
    });
    options.onMode?.(undefined, this.#mode);
  }

  get mode(): SessionMode {
    return this.#mode;
  }

  get username(): string {
    return this.#options.credentials.username;
  }

  get sessions(): readonly string[] {
    return this.#own.list();
  }

  /** Addresses of sessions that an earlier process of ours may have left. */
  adopt(recorded: readonly string[]): void {
    this.#own.adopt(recorded);
  }

  async send(request: RedfishRequest): Promise<Outcome<Answer>> {
    const outcome = selfContradiction(await this.#authenticated(request), this.#session.mode);
    this.#sayMode();
    if (outcome.ok && this.#session.mode === "token" && this.#own.pending) {
      await this.#own.cleanUp((one) => this.#session.send({ ...one, ...signalOf(request) }), this.#openedAt);
    }
    if (!outcome.ok && this.#session.mode === "refused") this.#options.onRefused?.(outcome.failure.message);
    return outcome;
  }

  /** The service root, without another request if opening the session has just read it. */
  async root(options: CallOptions): Promise<Outcome<Answer>> {
    const outcome = await this.#session.root(options);
    this.#sayMode();
    return outcome;
  }

  /** Opens an answer without an end, such as the event stream. */
  async stream(request: RedfishRequest): Promise<Outcome<OpenStream>> {
    const outcome = await this.#session.stream(request);
    this.#sayMode();
    return outcome;
  }

  /** Ends our session on the BMC; what could not be ended stays recorded. */
  async logout(signal?: AbortSignal): Promise<Outcome<undefined>> {
    this.#endingByUs = true;
    try {
      return await this.#session.logout(signal);
    } finally {
      this.#endingByUs = false;
      this.#options.onMode?.(this.#mode, undefined);
    }
  }

  async #authenticated(request: RedfishRequest): Promise<Outcome<Answer>> {
    if (this.#basicRefused !== undefined) return failure("Unauthorized", this.#basicRefused);
    if (this.#isFull()) return this.#basic(request);
    const first = await this.#session.send(request);
    if (first.ok || first.failure.code !== "SessionsFull") return this.#notFull(first);
    if (this.#own.pending) {
      // One of those slots may be ours, from before a crash.
      await this.#own.cleanUp((one) => this.#session.sendBasic({ ...one, ...signalOf(request) }), this.#openedAt);
      const second = await this.#session.send(request);
      if (second.ok || second.failure.code !== "SessionsFull") return this.#notFull(second);
    }
    this.#fullUntil = this.#options.clock.monotonic() + FULL_FOR_MS;
    this.#options.onFull?.(`${first.failure.message}; requests go out with basic authentication meanwhile`);
    return this.#basic(request);
  }

  #isFull(): boolean {
    return this.#fullUntil !== undefined && this.#options.clock.monotonic() < this.#fullUntil;
  }

  #notFull<T>(outcome: Outcome<T>): Outcome<T> {
    if (this.#fullUntil !== undefined && this.#session.mode === "token") {
      this.#fullUntil = undefined;
      this.#options.onFull?.(undefined);
    }
    return outcome;
  }

  async #basic(request: RedfishRequest): Promise<Outcome<Answer>> {
    const outcome = await this.#session.sendBasic(request);
    if (!outcome.ok && outcome.failure.code === "Unauthorized") {
      this.#basicRefused = outcome.failure.message;
      this.#options.onRefused?.(outcome.failure.message);
    }
    return outcome;
  }

  /** A login that is not answered may have opened a session all the same. */
  async #watchLogin(request: RedfishRequest): Promise<Outcome<Answer>> {
    const from = this.#options.clock.monotonic();
    const outcome = await this.#options.wire.send(request);
    const isLogin = request.method === "POST" && /\/Sessions\/?$/.test(request.path);
    if (isLogin && !outcome.ok && mayHaveHappened.has(outcome.failure.code)) {
      this.#own.unanswered({ path: request.path, from, to: this.#options.clock.monotonic() });
    }
    return outcome;
  }

  #onSession(uri: string | undefined): void {
    if (uri !== undefined) this.#openedAt = this.#options.clock.monotonic();
    this.#own.opened(uri, this.#endingByUs);
  }

  #sayMode(): void {
    const { mode } = this.#session;
    if (mode === this.#mode) return;
    this.#options.onMode?.(this.#mode, mode);
    this.#mode = mode;
  }
}

const mayHaveHappened: ReadonlySet<string> = new Set(["TimedOut", "ConnectionLost", "BrokenAnswer", "ServerError"]);

/** A BMC that takes our login and refuses the token it gave is sick; asking on would open session after session. */
function selfContradiction<T>(outcome: Outcome<T>, mode: SessionMode): Outcome<T> {
  if (outcome.ok || outcome.failure.code !== "Unauthorized" || mode !== "token") return outcome;
  const { message, status } = outcome.failure;
  const more = status === undefined ? {} : { status };
  return failure("ServerError", `${message}; the BMC accepts the login and refuses the session it opened`, more);
}

function signalOf({ signal }: RedfishRequest): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
