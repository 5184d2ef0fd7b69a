/** For tests: a server on loopback that answers as a handler says, and knows what reached it and which sockets are open. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { systemClock, systemRandom } from "#clock";
import { Redacted } from "#kinds";
import type { ConnectionConfig } from "../config/connection-config.ts";
import { type ConnectOptions, connect } from "./connect.ts";
import type { Transport, TransportRequest } from "./transport.ts";

export const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name);
export const pem = (name: string): string => readFileSync(fixture(name), "utf8");

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface LoopbackServer {
  readonly port: number;
  readonly url: string;
  /** "METHOD /path" of everything that arrived, in order. */
  readonly arrived: string[];
  readonly sockets: ReadonlySet<Socket>;
  /** How many connections were ever made. */
  readonly connections: number;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function serve(
  handler: Handler,
  options: { tls?: boolean; certificate?: string } = {},
): Promise<LoopbackServer> {
  const arrived: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => handler(request, response, Buffer.concat(chunks).toString("utf8")));
  };
  const name = options.certificate ?? "server";
  const server: Server = options.tls
    ? createTlsServer(
        {
          cert: pem(`${name}.crt`),
          key: pem(`${name}.key`),
          ca: pem("ca.crt"),
          requestCert: true,
          rejectUnauthorized: false,
        },
        listener,
      )
    : createServer(listener);
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${options.tls ? "https" : "http"}://127.0.0.1:${port}`,
    arrived,
    sockets,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

export function configFor(server: string, more: Partial<ConnectionConfig> = {}): ConnectionConfig {
  const authority = server.startsWith("https") ? { certificateAuthority: { data: new Redacted(pem("ca.crt")) } } : {};
  return { source: "a test", server, namespace: "default", user: {}, ...authority, ...more };
}

export function open(config: ConnectionConfig, more: Partial<ConnectOptions> = {}): Transport & AsyncDisposable {
  const transport = connect(config, { clock: systemClock, random: systemRandom, terminal: false, ...more });
  return {
    request: (request) => transport.request(request),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

export function get(path: string, more: Partial<TransportRequest> = {}): TransportRequest {
  return { method: "GET", path, signal: AbortSignal.timeout(10_000), ...more };
}

/** Waits until something is so; fails the test when it does not become so. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const give = systemClock.monotonic() + 5_000;
  while (!condition()) {
    if (systemClock.monotonic() > give) throw new Error(`waited in vain until ${what}`);
    await systemClock.sleep(2);
  }
}
