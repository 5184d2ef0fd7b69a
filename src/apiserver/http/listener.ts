/** Carries requests over TLS (HTTP/2, and HTTP/1.1 for older clients) into the pipeline. It decides nothing about them. */
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import {
  type ApiRequest,
  type ApiResponse,
  type Handler,
  isStream,
  json,
  type Sink,
  type UserInfo,
} from "./message.ts";
import { readBody } from "./read-body.ts";
import { internalError, StatusError, unauthorized } from "./status-error.ts";

export interface ListenerOptions {
  readonly handle: Handler;
  readonly key: string;
  readonly cert: string;
  /** Client certificates must be signed by it. */
  readonly clientCa: string;
  readonly port: number;
  readonly host: string;
}

export interface Listener {
  readonly port: number;
  /** Stops accepting, ends every connection, and waits until all are gone. */
  close(): Promise<void>;
}

export async function listen(options: ListenerOptions): Promise<Listener> {
  const server = createSecureServer({
    key: options.key,
    cert: options.cert,
    ca: options.clientCa,
    allowHTTP1: true,
    requestCert: true,
    rejectUnauthorized: false,
    settings: { maxConcurrentStreams: 1000, initialWindowSize: 1024 * 1024 },
    minVersion: "TLSv1.2",
  });
  const sockets = new Set<Socket>();
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("sessionError", () => {});
  server.on("request", (request, response) => void serve(options.handle, request, response));
  await bind(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closeAll(server, sockets),
  };
}

function bind(server: Http2SecureServer, { port, host }: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closeAll(server: Http2SecureServer, sockets: Set<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

async function serve(handle: Handler, request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
  const ended = new AbortController();
  response.once("close", () => ended.abort(new Error("the client went away")));
  response.on("error", () => ended.abort(new Error("the connection failed")));
  try {
    respond(response, await handle(await readRequest(request, ended.signal)), ended.signal);
  } catch (error) {
    if (ended.signal.aborted) return;
    const refusal = error instanceof StatusError ? error : internalError(error);
    respond(response, json(refusal.code, refusal.body), ended.signal);
    // What was not read of a refused body would be taken for the next request.
    if (!request.readableEnded && request.httpVersionMajor < 2) request.socket.destroySoon();
  }
}

async function readRequest(request: Http2ServerRequest, signal: AbortSignal): Promise<ApiRequest> {
  const target = new URL(request.url, "https://localhost");
  const user =
    certificateUser(request.stream?.session?.socket as TLSSocket | undefined) ??
    certificateUser(request.socket as TLSSocket);
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  return {
    method: request.method,
    path: decodePath(target.pathname),
    query: target.searchParams,
    headers: request.headers as Record<string, string | undefined>,
    body: hasBody ? await readBody(request) : new Uint8Array(),
    ...(user && { user }),
    signal,
  };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new StatusError(400, "BadRequest", `the path ${path} is not properly escaped`);
  }
}

/** The user a client certificate stands for: its common name and organisations. A certificate of another CA is refused. */
function certificateUser(socket: TLSSocket | undefined): UserInfo | undefined {
  const subject = socket?.getPeerCertificate?.()?.subject as { CN?: string; O?: string | string[] } | undefined;
  if (!socket || !subject?.CN) return undefined;
  if (!socket.authorized) throw unauthorized();
  const groups = subject.O === undefined ? [] : [subject.O].flat();
  return { username: subject.CN, groups };
}

function respond(response: Http2ServerResponse, answer: ApiResponse, signal: AbortSignal): void {
  if (signal.aborted) return;
  response.writeHead(answer.status, answer.headers);
  if (!isStream(answer.body)) {
    response.end(answer.body);
    return;
  }
  if ("flushHeaders" in response) (response as unknown as { flushHeaders(): void }).flushHeaders();
  answer.body.run(sinkOf(response), signal);
}

function sinkOf(response: Http2ServerResponse): Sink {
  return {
    write: (chunk) => void response.write(chunk),
    get buffered() {
      return response.writableLength;
    },
    end: () => void response.end(),
  };
}
