/**
 * HTTP to one BMC: a request in, an answer or a failure out. Owns the socket, its trust, the deadline and the size limit;
 * knows nothing of sessions or resources. An idle connection keeps no socket.
 */
import { Pool } from "undici";
import type { Clock, Timer } from "#clock";
import { type BmcAddress, originOf } from "./address.ts";
import { decodeAnswer } from "./answer.ts";
import { fencedDispatcher } from "./fenced-dispatch.ts";
import { classifyError } from "./network-error.ts";
import { failure, type Outcome } from "./outcome.ts";
import { type TlsOptions, trustingConnector } from "./trust.ts";

export interface RedfishRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Starts with "/"; may include a query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is bytes or a stream of them with a content type among the headers. */
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

export const DEFAULT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

export class Connection {
  readonly #options: ConnectionOptions;
  #pool: Pool | undefined;
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
    const deadline = new AbortController();
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timer = this.#options.clock.after(timeoutMs, () => deadline.abort(TIMED_OUT));
    const signal = request.signal ? AbortSignal.any([request.signal, deadline.signal]) : deadline.signal;
    this.#inFlight++;
    this.#idleTimer?.cancel();
    const progress = { sent: false };
    try {
      this.#options.fence?.();
      return await this.#exchange(request, signal, progress, attempt);
    } catch (error) {
      if (deadline.signal.aborted) return failure("TimedOut", `${attempt}: no answer within ${timeoutMs} ms`);
      return classifyError(attempt, error, progress.sent);
    } finally {
      timer.cancel();
      if (--this.#inFlight === 0) this.#closeWhenIdle();
    }
  }

  async #exchange(
    request: RedfishRequest,
    signal: AbortSignal,
    progress: { sent: boolean },
    attempt: string,
  ): Promise<Outcome<Answer>> {
    const { headers, body } = encode(request);
    const dispatcher = fencedDispatcher(this.#dispatcher(), () => {
      this.#options.fence?.();
      progress.sent = true;
    });
    const response = await dispatcher.request({
      origin: this.origin,
      method: request.method,
      path: request.path,
      headers,
      signal,
      ...(request.closeConnection ? { reset: true } : {}),
      ...(body === undefined ? {} : { body }),
    });
    return decodeAnswer(attempt, response);
  }

  #dispatcher(): Pool {
    const { address, tls, connections } = this.#options;
    this.#pool ??= new Pool(this.origin, {
      connections: connections ?? 1,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: this.#options.idleMs ?? 5_000,
      ...(address.scheme === "https"
        ? { connect: trustingConnector(tls ?? { trust: { mode: "authority" } }, CONNECT_TIMEOUT_MS) }
        : {}),
    });
    return this.#pool;
  }

  #closeWhenIdle(): void {
    this.#idleTimer = this.#options.clock.after(this.#options.idleMs ?? 5_000, () => void this.#drop());
  }

  async #drop(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  /** Ends the socket; requests in flight fail. */
  async close(): Promise<void> {
    this.#idleTimer?.cancel();
    await this.#drop();
  }
}

const TIMED_OUT = new Error("timed out");

function encode({ headers = {}, body }: RedfishRequest): {
  headers: Record<string, string>;
  body?: string | Uint8Array;
} {
  const base = { accept: "application/json", "odata-version": "4.0", ...headers };
  if (body === undefined) return { headers: base };
  if (body instanceof Uint8Array) return { headers: base, body };
  return { headers: { "content-type": "application/json", ...base }, body: JSON.stringify(body) };
}
