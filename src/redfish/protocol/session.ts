/**
 * How we prove who we are: one session per BMC, reused until it ends; basic auth where the BMC has no sessions.
 * A refused password is remembered and not tried again, because BMCs lock accounts.
 */
import type { Answer, Connection, RedfishRequest } from "./connection.ts";
import { type Failure, failure, type Outcome, success } from "./outcome.ts";
import { readLink, readRecord, readString } from "./read.ts";

export interface Credentials {
  readonly username: string;
  /** Revealed only where a request is made. */
  readonly password: () => string;
}

export interface SessionOptions {
  readonly connection: Pick<Connection, "send">;
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

export class Session {
  readonly #options: SessionOptions;
  #state: State = { kind: "none" };
  #opening: Promise<Outcome<undefined>> | undefined;
  #sessionsPath: string | undefined;

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
    const ready = await this.#ensure(request.signal);
    if (!ready.ok) return ready;
    const before = this.#state;
    const answer = await this.#options.connection.send(this.#signed(request));
    if (answer.ok || answer.failure.code !== "Unauthorized") return answer;
    if (before.kind !== "token") return this.#refuse(answer.failure.message);
    if (this.#state === before) this.#set({ kind: "none" });
    const renewed = await this.#ensure(request.signal);
    return renewed.ok ? this.#options.connection.send(this.#signed(request)) : renewed;
  }

  /** One request with basic auth, whatever the session's state: for a BMC whose session slots are all taken. */
  sendBasic(request: RedfishRequest): Promise<Outcome<Answer>> {
    return this.#options.connection.send({ ...request, headers: { ...request.headers, authorization: this.#basic() } });
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
    return answer.ok ? this.#opened(answer.value) : this.#notOpened(answer.failure);
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
    if (!root.ok) return root;
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
