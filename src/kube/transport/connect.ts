/** Opens the HTTP transport to the API server a configuration names. */
import type { Clock, Random } from "#clock";
import type { ConnectionConfig } from "../config/connection-config.ts";
import { Credentials } from "./credentials.ts";
import { HttpTransport } from "./http-transport.ts";
import type { Transport } from "./transport.ts";

export interface ConnectOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Requests in flight at once, watches not counted; 32 unless said otherwise. */
  readonly maxInFlight?: number;
  /** The environment credential plugins inherit; this process's unless said otherwise. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether plugins may ask a person; whether standard input is a terminal unless said otherwise. */
  readonly terminal?: boolean;
  readonly pluginTimeoutMs?: number;
}

/** Connects on the first request; credentials are obtained, renewed and reloaded as requests need them. */
export function connect(config: ConnectionConfig, options: ConnectOptions): Transport {
  const { clock, random, pluginTimeoutMs } = options;
  const closing = new AbortController();
  const credentials = new Credentials(config, {
    clock,
    random,
    env: options.env ?? process.env,
    terminal: options.terminal ?? process.stdin.isTTY === true,
    signal: closing.signal,
    ...(pluginTimeoutMs !== undefined && { pluginTimeoutMs }),
  });
  return new HttpTransport(config, credentials, { maxInFlight: options.maxInFlight ?? 32, closing });
}
