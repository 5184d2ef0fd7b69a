/** `/healthz`, `/readyz` and `/metrics` over plain HTTP. Reads state, holds none. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import { seconds } from "#clock";

export interface HealthOptions {
  /** Loopback unless said otherwise. */
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port: number;
}

export interface HealthSources {
  readonly registry: Registry;
  /** What is not ready yet, one sentence each; empty when ready. */
  readonly unready: () => readonly string[];
}

export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startHealthServer(options: HealthOptions, sources: HealthSources): Promise<HealthServer> {
  const { host = "127.0.0.1", port } = options;
  const server = createServer((request, response) => {
    request.resume();
    void answer(request.url ?? "/", response, sources);
  });
  server.requestTimeout = seconds(10);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(url: string, response: ServerResponse, { registry, unready }: HealthSources): Promise<void> {
  const [path] = url.split("?");
  if (path === "/healthz") return reply(response, 200, "ok\n");
  if (path === "/readyz") {
    const waiting = unready();
    return reply(response, waiting.length === 0 ? 200 : 503, `${waiting.join("\n") || "ok"}\n`);
  }
  if (path !== "/metrics") return reply(response, 404, "there are /healthz, /readyz and /metrics\n");
  try {
    reply(response, 200, await registry.metrics(), registry.contentType);
  } catch (error) {
    reply(response, 500, `metrics cannot be collected: ${(error as Error).message}\n`);
  }
}

function reply(response: ServerResponse, status: number, body: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
}
