/** The pools of connections, one generation per TLS identity: a new identity gets new ones, and requests in flight finish on the old. */
import { createSecureContext } from "node:tls";
import { type Dispatcher, Pool, ProxyAgent } from "undici";
import type { ConnectionConfig } from "../config/connection-config.ts";
import { CredentialError } from "./credential-error.ts";
import type { TlsIdentity } from "./credentials.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/** Below what load balancers and API servers use, so that it is us who close an idle connection. */
const KEEP_ALIVE_MS = 20_000;

interface Generation {
  readonly tls: TlsIdentity;
  readonly requests: Dispatcher;
  /** Watches live here, so that they never take a request's connection. */
  readonly streams: Dispatcher;
}

export class Connections {
  readonly #config: ConnectionConfig;
  readonly #retiring = new Set<Generation>();
  #current: Generation | undefined;

  constructor(config: ConnectionConfig) {
    this.#config = config;
  }

  /** Where to send with this identity. One that cannot be used (half of it replaced so far) leaves the last one in use. */
  dispatcher(tls: TlsIdentity, streaming: boolean): Dispatcher {
    const generation = this.#current?.tls === tls ? this.#current : this.#turnTo(tls);
    return streaming ? generation.streams : generation.requests;
  }

  /** Ends every connection at once. */
  async destroy(): Promise<void> {
    const generations = [...this.#retiring, ...(this.#current ? [this.#current] : [])];
    await Promise.all(generations.flatMap(({ requests, streams }) => [requests.destroy(), streams.destroy()]));
  }

  #turnTo(tls: TlsIdentity): Generation {
    const old = this.#current;
    try {
      createSecureContext(secureContextOf(tls));
    } catch (error) {
      if (old) return old;
      const { message } = error as Error;
      throw new CredentialError(
        `the certificates of ${this.#config.source} cannot be used (${message}); check CA, client certificate and key`,
      );
    }
    const fresh: Generation = { tls, requests: this.#open(tls), streams: this.#open(tls) };
    this.#current = fresh;
    if (old) this.#retire(old);
    return fresh;
  }

  #retire(generation: Generation): void {
    this.#retiring.add(generation);
    const { requests, streams } = generation;
    void Promise.allSettled([requests.close(), streams.close()]).then(() => this.#retiring.delete(generation));
  }

  #open(tls: TlsIdentity): Dispatcher {
    const { server, tlsServerName, insecureSkipTlsVerify, proxyUrl } = this.#config;
    const { origin } = new URL(server);
    const connect = {
      ...secureContextOf(tls),
      ...(tlsServerName && { servername: tlsServerName }),
      rejectUnauthorized: !insecureSkipTlsVerify,
      timeout: CONNECT_TIMEOUT_MS,
      keepAliveInitialDelay: 30_000,
    };
    // Deadlines are the caller's signal; a stream may be silent for as long as it likes.
    const patience = {
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      allowH2: false,
      pipelining: 1,
    };
    if (!proxyUrl) return new Pool(origin, { ...patience, connect });
    return new ProxyAgent({ ...patience, uri: proxyUrl.reveal(), requestTls: connect });
  }
}

function secureContextOf({ authority, certificate, key }: TlsIdentity): { ca?: string; cert?: string; key?: string } {
  return {
    ...(authority && { ca: authority }),
    ...(certificate && { cert: certificate }),
    ...(key && { key: key.reveal() }),
  };
}
