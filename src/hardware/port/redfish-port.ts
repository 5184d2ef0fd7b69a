/** Redfish through a lane: every request takes its turn, its token, its session. What a {@link RedfishService} sends with. */
import {
  type Answer,
  type BmcAddress,
  type CallOptions,
  Connection,
  type Credentials,
  FenceClosed,
  failure,
  type OpenStream,
  type Outcome,
  type RedfishRequest,
  success,
  type TlsOptions,
} from "#redfish";
import type { Lane } from "../lane/lane.ts";
import type { SessionMode } from "../lane/lane-metrics.ts";
import { Access } from "./access.ts";
import type { Port } from "./port.ts";

export interface RedfishPortOptions {
  readonly lane: Lane;
  readonly address: BmcAddress;
  readonly credentials: Credentials;
  readonly tls?: TlsOptions;
  /** Throws when no request may start any more. */
  readonly fence?: () => void;
  readonly connections?: number;
  readonly idleMs?: number;
  /** Nothing is sent before this: an earlier lane to the same address is still logging out. */
  readonly after?: Promise<void>;
  readonly onSessions?: (uris: readonly string[]) => void;
}

/** What a request may say beside Redfish's own words. */
export interface PortRequest extends RedfishRequest {
  readonly urgent?: boolean;
  readonly deadlineAt?: number;
}

export type RootOptions = CallOptions & { readonly deadlineAt?: number };

const GRACE_MS = 5_000;
const LOGOUT_MS = 10_000;

export class RedfishPort implements Port {
  readonly #options: RedfishPortOptions;
  readonly #connection: Connection;
  #access: Access;
  #leaving: Promise<unknown> = Promise.resolve();
  /** Those whose logout is under way. */
  #old: Access[] | undefined;
  #streams: Set<OpenStream> | undefined;

  constructor(options: RedfishPortOptions) {
    this.#options = options;
    const { address, lane, tls, connections, idleMs, fence } = options;
    this.#connection = new Connection({
      address,
      clock: lane.clock,
      ...(tls ? { tls } : {}),
      ...(connections === undefined ? {} : { connections }),
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(fence ? { fence: () => checkFence(fence) } : {}),
    });
    this.#access = this.#open(options.credentials);
    if (options.after) this.#waitFor(options.after);
  }

  get sessionMode(): SessionMode {
    return this.#access.mode;
  }

  /** Sends when the lane lets it. Equal reads at the same time are one. */
  send(request: PortRequest): Promise<Outcome<Answer>> {
    const { urgent, deadlineAt, signal, ...plain } = request;
    const reads = request.method === "GET" || request.method === "HEAD";
    const exchange = {
      attempt: `${request.method} ${request.path}`,
      urgent: urgent ?? !reads,
      changes: !reads,
      ...(signal ? { signal } : {}),
      ...(deadlineAt === undefined ? {} : { deadlineAt }),
      ...(reads ? { share: shareKey(plain) } : {}),
    };
    return this.#options.lane.run(exchange, (own) => this.#access.send({ ...plain, signal: own }));
  }

  /** The service root; opening the session reads it anyway. */
  root({ signal, deadlineAt, ...options }: RootOptions = {}): Promise<Outcome<Answer>> {
    const exchange = {
      attempt: "GET the service root",
      share: "root",
      ...(signal ? { signal } : {}),
      ...(deadlineAt === undefined ? {} : { deadlineAt }),
    };
    return this.#options.lane.run(exchange, (own) => this.#access.root({ ...options, signal: own }));
  }

  /** Opening it takes a turn; once open it holds none, only a socket of its own. */
  async stream({ urgent: _, deadlineAt, signal, ...request }: PortRequest): Promise<Outcome<OpenStream>> {
    const exchange = {
      attempt: `open ${request.path}`,
      ...(signal ? { signal } : {}),
      ...(deadlineAt === undefined ? {} : { deadlineAt }),
    };
    const opened = await this.#options.lane.run(exchange, () =>
      // The stream outlives the turn, so it ends with its caller's signal and not with the turn's.
      this.#access.stream({ ...request, ...(signal ? { signal } : {}) }),
    );
    return opened.ok ? { ok: true, value: this.#remember(opened.value) } : opened;
  }

  command(): Promise<Outcome<never>> {
    return Promise.resolve(failure("NotSupported", `${this.#options.lane.key} speaks Redfish and not IPMI`));
  }

  /** The password changed: the old session ends, and what was refused may be tried again, once. */
  useCredentials(credentials: Credentials): void {
    const { lane } = this.#options;
    const old = this.#access;
    this.#old = [...(this.#old ?? []), old];
    this.#access = this.#open(credentials);
    lane.conditions.set("CredentialsRefused", undefined);
    lane.conditions.set("SessionSlotsFull", undefined);
    const left = this.#logout(old).then(() => this.#inherit(old));
    this.#leaving = Promise.all([this.#leaving, left]);
  }

  /** Sessions that an earlier process of ours may have left; they are removed at the next contact. */
  adopt(recorded: readonly string[]): void {
    this.#access.adopt(recorded);
  }

  /** Lets what is under way end, logs out and ends the socket. */
  async close(): Promise<void> {
    await this.#options.lane.close(GRACE_MS);
    await Promise.all([...(this.#streams ?? [])].map((stream) => stream.close()));
    await Promise.all([this.#leaving, this.#logout(this.#access)]);
    await this.#connection.close();
  }

  /** What could not be logged out of is left to the next of the same user. */
  #inherit(old: Access): void {
    this.#old = this.#old?.filter((one) => one !== old);
    if (old.username === this.#access.username) this.#access.adopt(old.sessions);
  }

  /** Sessions of the old and the new credentials are recorded together until the old ones are gone. */
  #record(): void {
    const uris = [...(this.#old ?? []), this.#access].flatMap(({ sessions }) => sessions);
    this.#options.onSessions?.([...new Set(uris)]);
  }

  /** An open stream ends with the port. */
  #remember(stream: OpenStream): OpenStream {
    const close = async (): Promise<void> => {
      this.#streams?.delete(kept);
      await stream.close();
    };
    const kept = { chunks: stream.chunks, close };
    this.#streams ??= new Set();
    this.#streams.add(kept);
    return kept;
  }

  #waitFor(before: Promise<void>): void {
    const wait = this.#options.lane.run(
      { attempt: "wait for the earlier lane", urgent: true, last: true },
      async () => {
        await before.catch(() => undefined);
        return success(undefined);
      },
    );
    this.#leaving = Promise.all([this.#leaving, wait]);
  }

  async #logout(access: Access): Promise<void> {
    const deadlineAt = this.#options.lane.clock.monotonic() + LOGOUT_MS;
    const exchange = { attempt: "logout", urgent: true, last: true, deadlineAt };
    await this.#options.lane.run(exchange, (signal) => access.logout(signal));
  }

  #open(credentials: Credentials): Access {
    const { lane } = this.#options;
    return new Access({
      wire: {
        send: (request) => this.#wire(request, (one) => this.#connection.send(one)),
        stream: (request) => this.#wire(request, (one) => this.#connection.stream(one)),
      },
      clock: lane.clock,
      credentials,
      onSessions: () => this.#record(),
      onMode: (from, to) => lane.metrics.session(from, to),
      onFull: (message) => lane.conditions.set("SessionSlotsFull", message),
      onRefused: (message) => lane.conditions.set("CredentialsRefused", refusedSentence(message)),
    });
  }

  async #wire<T>(request: RedfishRequest, send: (request: RedfishRequest) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const { lane } = this.#options;
    try {
      await lane.pace(request.signal);
    } catch {
      return failure("Unreachable", `${request.method} ${request.path} on ${lane.key}: called off before it was sent`);
    }
    const startedAt = lane.clock.monotonic();
    const outcome = await send(request);
    lane.count(request.method, outcome, startedAt);
    return outcome;
  }
}

function refusedSentence(message: string): string {
  return `${message}; the password is not tried again until the credentials change`;
}

function shareKey({ path, method, headers, timeoutMs }: RedfishRequest): string {
  return `${method} ${path} ${timeoutMs ?? ""} ${headers ? JSON.stringify(headers) : ""}`;
}

/** Whatever the fence throws, the connection below must know it as a fence. */
function checkFence(fence: () => void): void {
  try {
    fence();
  } catch (error) {
    throw new FenceClosed(error instanceof Error ? error.message : String(error));
  }
}
