/**
 * How we prove who we are: one session per BMC, reused until it ends; basic auth where the BMC has no sessions.
 * A refused password is remembered and not tried again, because BMCs lock accounts.
 */
import type { Answer, Connection, OpenStream, RedfishRequest } from "./connection.ts";
import { type Failure, failure, type Outcome, success } from "./outcome.ts";
import { readLink, readRecord, readString } from "./read.ts";
import { withoutSecrets } from "./redact.ts";

export interface Credentials {
  readonly username: string;
  /** Revealed only where a request is made. */
  readonly password: () => string;
}

export interface SessionOptions {
  readonly connection: Pick<Connection, "send" | "stream">;
  readonly credentials: Credentials;
  /** Told of every session opened and ended (undefined), so that a crash can be cleaned up after: the URI holds no secret. */
  readonly onSession?: (uri: string | undefined) => void;
}

type State =
  | { readonly kind: "none" }
  | { readonly kind: "token"; readonly token: string; readonly uri: string | undefined }
  | { readonly kind: "basic" }
  | { readonly kind: "refused"; readonly message: string };

const SERVICE_ROOT = "/redfish/v1/";
/** Where sessions are unless the root says otherwise, for the rare BMC whose root wants a login first. */
const USUAL_SESSIONS = "/redfish/v1/SessionService/Sessions";

export class Session {
  readonly #options: SessionOptions;
  #state: State = { kind: "none" };
  #opening: Promise<Outcome<undefined>> | undefined;
  #sessionsPath: string | undefined;
  #root: Outcome<Answer> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get mode(): "none" | "token" | "basic" | "refused" {
    return this.#state.kind;
  }

  get uri(): string | undefined {
    return this.#state.kind === "token" ? this.#state.uri : undefined;
  }

  /** Sends with our credentials; a session that ended meanwhile is renewed once. */
  async send(request: RedfishRequest): Promise<Outcome<Answer>> {
    return withoutSecrets(await this.#send(request), this.#secrets());
  }

  /** The service root: the one that opening the session has read, or a fresh one. No credentials are sent for it. */
  async root(options: Pick<RedfishRequest, "signal" | "timeoutMs"> = {}): Promise<Outcome<Answer>> {
    if (this.#state.kind === "none" && this.#root === undefined) await this.#ensure(options.signal);
    const read = this.#root;
    this.#root = undefined;
    if (read?.ok) return read;
    return this.send({ method: "GET", path: SERVICE_ROOT, ...options });
  }

  /** Opens an answer without an end, such as the event stream. */
  async stream(request: RedfishRequest): Promise<Outcome<OpenStream>> {
    const opened = await this.#withLogin(request, (signed) => this.#options.connection.stream(signed));
    return withoutSecrets(opened, this.#secrets());
  }

  #send(request: RedfishRequest): Promise<Outcome<Answer>> {
    return this.#withLogin(request, (signed) => this.#options.connection.send(signed));
  }

  async #withLogin<T>(
    request: RedfishRequest,
    send: (signed: RedfishRequest) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const ready = await this.#ensure(request.signal);
    if (!ready.ok) return ready;
    const before = this.#state;
    const answer = await send(this.#signed(request));
    if (answer.ok || answer.failure.code !== "Unauthorized") return answer;
    if (before.kind !== "token") return this.#refuse(answer.failure.message);
    if (this.#state === before) this.#set({ kind: "none" });
    const renewed = await this.#ensure(request.signal);
    return renewed.ok ? send(this.#signed(request)) : renewed;
  }

  /** One request with basic auth, whatever the session's state: for a BMC whose session slots are all taken. */
  async sendBasic(request: RedfishRequest): Promise<Outcome<Answer>> {
    const headers = { ...request.headers, authorization: this.#basic() };
    return withoutSecrets(await this.#options.connection.send({ ...request, headers }), this.#secrets());
  }

  /** Ends our session on the BMC. */
  async logout(signal?: AbortSignal): Promise<Outcome<undefined>> {
    const state = this.#state;
    if (state.kind !== "token" || state.uri === undefined) return success(undefined);
    const answer = await this.#options.connection.send({
      method: "DELETE",
      path: state.uri,
      headers: { "x-auth-token": state.token },
      timeoutMs: 10_000,
      ...(signal ? { signal } : {}),
    });
    if (!answer.ok && answer.failure.code !== "NotFound" && answer.failure.code !== "Unauthorized") return answer;
    this.#set({ kind: "none" });
    return success(undefined);
  }

  /** Opens the session if there is none, once for all who ask at the same time. */
  async #ensure(signal: AbortSignal | undefined): Promise<Outcome<undefined>> {
    if (this.#state.kind === "token" || this.#state.kind === "basic") return success(undefined);
    if (this.#state.kind === "refused") return failure("Unauthorized", this.#state.message);
    this.#opening ??= this.#open(signal).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(signal: AbortSignal | undefined): Promise<Outcome<undefined>> {
    const path = await this.#findSessions(signal);
    if (!path.ok) return path;
    if (path.value === undefined) {
      this.#set({ kind: "basic" });
      return success(undefined);
    }
    const { username, password } = this.#options.credentials;
    const body = { UserName: username, Password: password() };
    const answer = await this.#options.connection.send({
      method: "POST",
      path: path.value,
      body,
      ...(signal ? { signal } : {}),
    });
    const judged = withoutSecrets(answer, this.#secrets());
    return judged.ok ? this.#opened(judged.value) : this.#notOpened(judged.failure);
  }

  #opened({ headers, body }: Answer): Outcome<undefined> {
    const token = headers["x-auth-token"];
    if (token === undefined) {
      this.#set({ kind: "basic" });
      return success(undefined);
    }
    const location = headers.location ?? readString(body, "@odata.id");
    this.#set({ kind: "token", token, uri: location === undefined ? undefined : pathOf(location) });
    return success(undefined);
  }

  #notOpened(refused: Failure): Outcome<undefined> {
    if (refused.code === "NotSupported" || refused.code === "NotFound") {
      this.#set({ kind: "basic" });
      return success(undefined);
    }
    if (refused.code === "Unauthorized" || refused.code === "Forbidden") return this.#refuse(refused.message);
    return { ok: false, failure: refused };
  }

  async #findSessions(signal: AbortSignal | undefined): Promise<Outcome<string | undefined>> {
    if (this.#sessionsPath !== undefined) return success(this.#sessionsPath);
    const root = await this.#options.connection.send({
      method: "GET",
      path: SERVICE_ROOT,
      ...(signal ? { signal } : {}),
    });
    this.#root = root;
    if (!root.ok) return root.failure.code === "Unauthorized" ? success(USUAL_SESSIONS) : root;
    const { body } = root.value;
    const path = readLink(readRecord(body, "Links"), "Sessions") ?? sessionsBelow(readLink(body, "SessionService"));
    this.#sessionsPath = path;
    return success(path);
  }

  #signed(request: RedfishRequest): RedfishRequest {
    const header: Record<string, string> =
      this.#state.kind === "token" ? { "x-auth-token": this.#state.token } : { authorization: this.#basic() };
    return { ...request, headers: { ...request.headers, ...header } };
  }

  #basic(): string {
    const { username, password } = this.#options.credentials;
    return `Basic ${Buffer.from(`${username}:${password()}`).toString("base64")}`;
  }

  /** What no failure may repeat: firmware likes to quote a request in its refusal. */
  #secrets(): readonly string[] {
    const token = this.#state.kind === "token" ? [this.#state.token] : [];
    return [this.#options.credentials.password(), this.#basic(), ...token];
  }

  #refuse(message: string): Outcome<never> {
    this.#set({ kind: "refused", message });
    return failure("Unauthorized", message);
  }

  #set(state: State): void {
    const before = this.uri;
    this.#state = state;
    if (this.uri !== before) this.#options.onSession?.(this.uri);
  }
}

function sessionsBelow(service: string | undefined): string | undefined {
  return service === undefined ? undefined : `${service.replace(/\/$/, "")}/Sessions`;
}

/** BMCs give locations as paths or as absolute URLs, the latter sometimes with a host name only they know. */
export function pathOf(location: string): string {
  if (!/^https?:\/\//i.test(location)) return location;
  const { pathname, search } = new URL(location);
  return pathname + search;
}
