/**
 * Answers the API server's admission reviews over TLS. A wrong request gets a clear 400, a handler that throws or takes too
 * long a 500 (the webhook's failurePolicy decides what that means), and neither ends the process.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { type Clock, seconds } from "#clock";
import { type CertificateFiles, followKeyPair, readKeyPair } from "./certificate.ts";
import type { WebhookHandler } from "./handler.ts";
import { BadReview, parseReview, renderReview } from "./review.ts";

export interface WebhookServerOptions {
  readonly certificate: CertificateFiles;
  readonly handlers: readonly WebhookHandler[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Loopback unless said otherwise. */
  readonly host?: string;
  readonly port: number;
  readonly maxBodyBytes?: number;
  /** For one review, reading it included; the API server's own shorter timeout wins. */
  readonly deadlineMs?: number;
  readonly reloadEveryMs?: number;
}

export interface WebhookServer {
  /** Where it listens, e.g. `https://127.0.0.1:9443`. */
  readonly url: string;
  /** Stops accepting, lets reviews under way finish, and ends; called once. */
  close(): Promise<void>;
}

class TooLarge extends Error {}

/** Listens once the promise resolves; rejects when the certificate or the port cannot be used. */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { certificate, clock, logger, host = "127.0.0.1", port } = options;
  const paths = new Map(options.handlers.map((handler) => [handler.path, handler]));
  if (paths.size < options.handlers.length) throw new TypeError("two webhook handlers have the same path");
  const pair = await readKeyPair(certificate);
  const server = createServer({ ...pair, minVersion: "TLSv1.2" }, (request, response) => {
    void answer(request, response, { paths, options });
  });
  server.requestTimeout = options.deadlineMs ?? seconds(10);
  server.headersTimeout = server.requestTimeout;
  server.on("tlsClientError", (error) => logger.debug({ err: error }, "webhook TLS handshake failed"));
  await listening(server, port, host);
  const stop = new AbortController();
  const following = followKeyPair(
    certificate,
    pair,
    {
      clock,
      ...(options.reloadEveryMs === undefined ? {} : { everyMs: options.reloadEveryMs }),
      onChange: (fresh) => {
        server.setSecureContext(fresh);
        logger.info("webhook certificate reloaded");
      },
      onError: (error) => logger.error({ err: error }, "webhook certificate not reloaded, the old one stays"),
    },
    stop.signal,
  );
  return {
    url: `https://${host}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      stop.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.all([closed, following]);
    },
  };
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

interface Context {
  readonly paths: ReadonlyMap<string, WebhookHandler>;
  readonly options: WebhookServerOptions;
}

async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { clock, logger, deadlineMs = seconds(10) } = context.options;
  const url = new URL(request.url ?? "/", "https://webhook");
  const handler = context.paths.get(url.pathname);
  const over = new AbortController();
  const limitMs = Math.min(deadlineMs, askedTimeoutMs(url) ?? deadlineMs);
  const timer = clock.after(limitMs, () => over.abort(new Error(`no verdict within ${limitMs} ms`)));
  request.once("close", () => !request.complete && over.abort(new Error("the caller went away")));
  try {
    if (!handler) return respond(response, 404, `no webhook at ${url.pathname}`);
    if (request.method !== "POST") return respond(response, 405, "admission reviews are posted");
    const text = await readBody(request, context.options.maxBodyBytes ?? 8_000_000, over.signal);
    const review = parseReview(text, handler.kind, over.signal);
    const verdict = await inTime(Promise.resolve(handler.review(review)), over.signal);
    respond(response, 200, renderReview(review.uid, verdict), "application/json");
  } catch (error) {
    if (error instanceof BadReview) return respond(response, 400, error.message);
    if (error instanceof TooLarge) return respond(response, 413, error.message);
    logger.error({ err: error, path: url.pathname }, "webhook failed");
    respond(response, 500, `${url.pathname}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    timer.cancel();
  }
}

async function readBody(request: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const whole = (async () => {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxBytes) throw new TooLarge(`the body is larger than ${maxBytes} bytes`);
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks).toString("utf8");
  })();
  return inTime(whole, signal);
}

/** The promise's value, unless the signal is aborted first; what it does later is ignored. */
function inTime<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The API server says in `?timeout=5s` how long it will wait. */
function askedTimeoutMs(url: URL): number | undefined {
  const match = /^(\d+)(s|ms)$/.exec(url.searchParams.get("timeout") ?? "");
  return match ? Number(match[1]) * (match[2] === "s" ? 1000 : 1) : undefined;
}

function respond(response: ServerResponse, status: number, body: string, type = "text/plain; charset=utf-8"): void {
  if (response.headersSent || response.destroyed) return;
  if (status >= 400) response.setHeader("connection", "close");
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
}
