/** Sockets: accepts connections, finds out which BMC is meant, and hands them to one HTTP server. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressOf, indexOf } from "./addressing.ts";

/** The number of a BMC, or the fleet's own control API. */
export type Target = number | "control";

export interface ListenerOptions {
  readonly bmcs: number;
  readonly addressing: "ip" | "port";
  readonly port: number;
  readonly onRequest: (target: Target, request: IncomingMessage, response: ServerResponse) => void;
  /** Wraps a connection to a BMC in TLS; undefined drops it. */
  readonly secure: ((socket: Socket, bmc: number) => Promise<Duplex | undefined>) | undefined;
}

export interface Listener {
  readonly controlPort: number;
  /** Host and port of a BMC. */
  endpointOf(bmc: number): { readonly host: string; readonly port: number };
  close(): Promise<void>;
}

const PORTS_AT_ONCE = 200;

export async function listen(options: ListenerOptions): Promise<Listener> {
  const targets = new WeakMap<Duplex, Target>();
  const sockets = new Set<Socket>();
  const http = createHttpServer(
    { keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 },
    (request, response) => {
      const target = targets.get(request.socket);
      if (target === undefined) request.socket.destroy();
      else options.onRequest(target, request, response);
    },
  );
  http.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "HPE_INVALID_METHOD")
      socket.end("HTTP/1.1 501 Not Implemented\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    else socket.destroy();
  });

  const greet = async (socket: Socket, target: Target | undefined): Promise<void> => {
    if (target === undefined || (typeof target === "number" && (target < 0 || target >= options.bmcs)))
      return void socket.destroy();
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setNoDelay(true);
    const stream = typeof target === "number" && options.secure ? await options.secure(socket, target) : socket;
    if (!stream) return void socket.destroy();
    targets.set(stream, target);
    http.emit("connection", stream);
  };

  const close = async (servers: readonly Server[]): Promise<void> => {
    const closed = servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve())));
    for (const socket of sockets) socket.destroy();
    http.close();
    await Promise.all(closed);
  };
  return options.addressing === "ip" ? listenOnRange(options, greet, close) : listenOnPorts(options, greet, close);
}

type Greet = (socket: Socket, target: Target | undefined) => Promise<void>;
type Close = (servers: readonly Server[]) => Promise<void>;

/** One socket for all: the address the client connected to says which BMC is meant. */
async function listenOnRange({ port }: ListenerOptions, greet: Greet, close: Close): Promise<Listener> {
  const server = createServer((socket) => {
    const index = indexOf(socket.localAddress ?? "");
    greet(socket, index === -1 ? "control" : index).catch(() => socket.destroy());
  });
  const taken = await open(server, port, "0.0.0.0");
  return {
    controlPort: taken,
    endpointOf: (bmc) => ({ host: addressOf(bmc), port: taken }),
    close: () => close([server]),
  };
}

async function listenOnPorts({ port, bmcs }: ListenerOptions, greet: Greet, close: Close): Promise<Listener> {
  const control = createServer((socket) => void greet(socket, "control").catch(() => socket.destroy()));
  const controlPort = await open(control, port, "127.0.0.1");
  const servers: Server[] = [control];
  const ports: number[] = [];
  for (let first = 0; first < bmcs; first += PORTS_AT_ONCE) {
    const batch = Array.from({ length: Math.min(PORTS_AT_ONCE, bmcs - first) }, async (_, at) => {
      const bmc = first + at;
      const server = createServer((socket) => void greet(socket, bmc).catch(() => socket.destroy()));
      servers.push(server);
      ports[bmc] = await open(server, port === 0 ? 0 : port + 1 + bmc, "127.0.0.1");
    });
    await Promise.all(batch);
  }
  return {
    controlPort,
    endpointOf: (bmc) => ({ host: "127.0.0.1", port: ports[bmc] ?? 0 }),
    close: () => close(servers),
  };
}

function open(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new Error(`cannot listen on ${host}:${port}: ${error.message}`)));
    server.listen({ port, host, backlog: 4096 }, () => resolve((server.address() as AddressInfo).port));
  });
}
