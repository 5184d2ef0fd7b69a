/** The transport over HTTP: credentials, a place in the limit, a connection, and then one exchange. */
import type { ConnectionConfig, Impersonation } from "../config/connection-config.ts";
import { Connections } from "./connections.ts";
import type { Credentials, Presented } from "./credentials.ts";
import { Exchange } from "./exchange.ts";
import { InFlightLimiter } from "./in-flight-limiter.ts";
import { NotSent, type Transport, type TransportRequest, type TransportResponse } from "./transport.ts";

export class HttpTransport implements Transport {
  readonly #credentials: Credentials;
  readonly #connections: Connections;
  readonly #limiter: InFlightLimiter;
  readonly #closing: AbortController;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #impersonation: readonly string[];

  constructor(
    config: ConnectionConfig,
    credentials: Credentials,
    options: { readonly maxInFlight: number; readonly closing: AbortController },
  ) {
    this.#credentials = credentials;
    this.#connections = new Connections(config);
    this.#limiter = new InFlightLimiter(options.maxInFlight);
    this.#closing = options.closing;
    const { origin, pathname } = new URL(config.server);
    this.#origin = origin;
    this.#prefix = pathname === "/" ? "" : pathname;
    this.#impersonation = impersonationHeaders(config.impersonate);
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const presented = await this.#present(request);
    const response = await this.#exchange(request, presented);
    if (response.status !== 401 || !(await this.#refreshed(request, presented))) return response;
    response.discard();
    return this.#exchange(request, await this.#present(request));
  }

  async close(): Promise<void> {
    this.#closing.abort(new NotSent("the connection to the API server is closed"));
    await this.#connections.destroy();
  }

  /** A new credential that cannot be had leaves the 401 to stand: it says more than the attempt's failure. */
  #refreshed({ signal }: TransportRequest, presented: Presented): Promise<boolean> {
    return unlessAborted(
      this.#credentials.refresh(presented).catch(() => false),
      signal,
    );
  }

  #present({ signal }: TransportRequest): Presented | Promise<Presented> {
    signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    return this.#credentials.peek() ?? unlessAborted(this.#credentials.current(), signal);
  }

  async #exchange(request: TransportRequest, presented: Presented): Promise<Exchange> {
    const { priority = "normal" } = request;
    const release = request.streaming
      ? () => {}
      : (this.#limiter.tryEnter(priority) ?? (await this.#limiter.enter(priority, request.signal)));
    const exchange = new Exchange(request, release);
    try {
      this.#closing.signal.throwIfAborted();
      const dispatcher = this.#connections.dispatcher(presented.tls, request.streaming ?? false);
      return await exchange.run(dispatcher, {
        origin: this.#origin,
        path: this.#prefix + request.path,
        method: request.method,
        headers: this.#headers(request, presented),
        body: request.body ?? null,
      });
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Names and values in turn: undici takes them as they are, and no object has to be copied and grown for each request. */
  #headers({ headers }: TransportRequest, { authorization }: Presented): string[] {
    const all = [...this.#impersonation];
    for (const name in headers) all.push(name, headers[name] ?? "");
    if (authorization) all.push("authorization", authorization.reveal());
    return all;
  }
}

/** Many may wait for one plugin: whoever gives up leaves without ending it for the others. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function impersonationHeaders(impersonate: Impersonation = {}): readonly string[] {
  const { user, uid, groups = [], extra = {} } = impersonate;
  const extras = Object.entries(extra).flatMap(([key, values]) =>
    values.flatMap((value) => [`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`, value]),
  );
  return [
    ...(user ? ["impersonate-user", user] : []),
    ...(uid ? ["impersonate-uid", uid] : []),
    ...groups.flatMap((group) => ["impersonate-group", group]),
    ...extras,
  ];
}
