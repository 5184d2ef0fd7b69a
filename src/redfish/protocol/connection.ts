/**
 * HTTP to one BMC: a request in, an answer or a failure out. Owns the socket, its trust, the deadline and the size limit;
 * knows nothing of sessions or resources. An idle connection keeps no socket.
 */
import { type Dispatcher, Pool } from "undici";
import type { Clock, Timer } from "#clock";
import { type BmcAddress, originOf } from "./address.ts";
import { decodeAnswer } from "./answer.ts";
import { fencedDispatcher } from "./fenced-dispatch.ts";
import { classifyError, FenceClosed } from "./network-error.ts";
import { failure, type Outcome, success } from "./outcome.ts";
import { type TlsOptions, trustingConnector } from "./trust.ts";

export interface RedfishRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Starts with "/"; may include a query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is bytes with a content type among the headers. */
  readonly body?: unknown;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Ends the connection after the answer, for firmware that mixes up two requests on one. */
  readonly closeConnection?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded JSON; undefined for an empty answer. */
  readonly body: unknown;
}

export interface ConnectionOptions {
  readonly address: BmcAddress;
  readonly clock: Clock;
  readonly tls?: TlsOptions;
  /** Throws when no request may start any more; called right before the first byte leaves. */
  readonly fence?: () => void;
  /** One unless the BMC is known to bear more. */
  readonly connections?: number;
  /** A socket unused for this long is closed; 5 s unless said otherwise. */
  readonly idleMs?: number;
}

/** An answer whose body goes on for as long as both sides like. */
export interface OpenStream {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Ends it and its socket. */
  close(): Promise<void>;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

export class Connection {
  readonly #options: ConnectionOptions;
  #pool: Pool | undefined;
  readonly #streams = new Set<Pool>();
  #inFlight = 0;
  #idleTimer: Timer | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get origin(): string {
    return originOf(this.#options.address);
  }

  async send(request: RedfishRequest): Promise<Outcome<Answer>> {
    const attempt = `${request.method} ${request.path} on ${this.origin}`;
    const deadline = this.#deadline(request);
    this.#inFlight++;
    this.#idleTimer?.cancel();
    const progress = { sent: false };
    try {
      this.#checkFence();
      const response = await this.#exchange(this.#dispatcher(), request, deadline.signal, progress);
      const moved = request.method === "GET" ? redirectWithin(this.origin, response) : undefined;
      if (moved === undefined) return await decodeAnswer(attempt, response);
      await response.body.dump();
      const there = { ...request, path: moved };
      return await decodeAnswer(attempt, await this.#exchange(this.#dispatcher(), there, deadline.signal, progress));
    } catch (error) {
      return deadline.passed() ? timedOut(attempt, deadline.ms) : classifyError(attempt, error, progress.sent);
    } finally {
      deadline.cancel();
      if (--this.#inFlight === 0) this.#closeWhenIdle();
    }
  }

  /** Opens an answer without an end, on a socket of its own. The deadline is for its beginning. */
  async stream(request: RedfishRequest): Promise<Outcome<OpenStream>> {
    const attempt = `${request.method} ${request.path} on ${this.origin}`;
    const deadline = this.#deadline(request);
    const progress = { sent: false };
    const pool = this.#newPool(1);
    this.#streams.add(pool);
    const close = async (): Promise<void> => {
      this.#streams.delete(pool);
      await pool.destroy();
    };
    try {
      this.#checkFence();
      const response = await this.#exchange(pool, request, deadline.signal, progress);
      if (response.statusCode === 200) return success({ chunks: response.body, close });
      const refused = await decodeAnswer(attempt, response);
      await close();
      return refused.ok ? failure("BrokenAnswer", `${attempt}: HTTP ${refused.value.status} is no stream`) : refused;
    } catch (error) {
      await close();
      return deadline.passed() ? timedOut(attempt, deadline.ms) : classifyError(attempt, error, progress.sent);
    } finally {
      deadline.cancel();
    }
  }

  #checkFence(): void {
    try {
      this.#options.fence?.();
    } catch (error) {
      throw new FenceClosed(error instanceof Error ? error.message : String(error));
    }
  }

  #deadline({ timeoutMs: ms = DEFAULT_TIMEOUT_MS, signal }: RedfishRequest): Deadline {
    const timeout = new AbortController();
    const timer = this.#options.clock.after(ms, () => timeout.abort(TIMED_OUT));
    return {
      ms,
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      passed: () => timeout.signal.aborted,
      cancel: () => timer.cancel(),
    };
  }

  #exchange(
    pool: Pool,
    request: RedfishRequest,
    signal: AbortSignal,
    progress: { sent: boolean },
  ): Promise<Dispatcher.ResponseData> {
    const { headers, body } = encode(request);
    const dispatcher = fencedDispatcher(pool, () => {
      this.#options.fence?.();
      progress.sent = true;
    });
    return dispatcher.request({
      origin: this.origin,
      method: request.method,
      path: request.path,
      headers,
      signal,
      ...(request.closeConnection ? { reset: true } : {}),
      ...(body === undefined ? {} : { body }),
    });
  }

  #dispatcher(): Pool {
    this.#pool ??= this.#newPool(this.#options.connections ?? 1);
    return this.#pool;
  }

  #newPool(connections: number): Pool {
    const { address, tls } = this.#options;
    return new Pool(this.origin, {
      connections,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: this.#options.idleMs ?? 5_000,
      ...(address.scheme === "https"
        ? { connect: trustingConnector(tls ?? { trust: { mode: "authority" } }, CONNECT_TIMEOUT_MS) }
        : {}),
    });
  }

  #closeWhenIdle(): void {
    this.#idleTimer = this.#options.clock.after(this.#options.idleMs ?? 5_000, () => void this.#drop());
  }

  async #drop(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  /** Ends the sockets; requests in flight fail, and streams end. */
  async close(): Promise<void> {
    this.#idleTimer?.cancel();
    await Promise.all([this.#drop(), ...[...this.#streams].map((pool) => pool.destroy())]);
  }
}

interface Deadline {
  readonly ms: number;
  readonly signal: AbortSignal;
  passed(): boolean;
  cancel(): void;
}

/** Where a read is to be repeated: only on the same BMC, because our credentials go with it. */
function redirectWithin(origin: string, { statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  const { location } = headers;
  if (![301, 302, 307, 308].includes(statusCode) || typeof location !== "string") return undefined;
  const target = URL.canParse(location, origin) ? new URL(location, origin) : undefined;
  return target?.origin === new URL(origin).origin ? target.pathname + target.search : undefined;
}

const TIMED_OUT = new Error("timed out");

function timedOut(attempt: string, ms: number): Outcome<never> {
  return failure("TimedOut", `${attempt}: no answer within ${ms} ms`);
}

function encode({ headers = {}, body }: RedfishRequest): {
  headers: Record<string, string>;
  body?: string | Uint8Array;
} {
  const base = { accept: "application/json", "odata-version": "4.0", ...headers };
  if (body === undefined) return { headers: base };
  if (body instanceof Uint8Array) return { headers: base, body };
  return { headers: { "content-type": "application/json", ...base }, body: JSON.stringify(body) };
}
