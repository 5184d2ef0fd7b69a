/** For tests: an HTTP server on loopback that answers each request as a script says, and remembers what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type BmcAddress, bmcAddress } from "./address.ts";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text as it is. */
  readonly body?: unknown;
  /** Ends the connection after this many characters of the body. */
  readonly cutAfter?: number;
  /** Never answers. */
  readonly hang?: boolean;
}

export type Script = (asked: Asked) => Reply;

export interface ScriptedBmc {
  readonly address: BmcAddress;
  readonly asked: Asked[];
  close(): Promise<void>;
}

export async function scriptedBmc(script: Script): Promise<ScriptedBmc> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const entry = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
      asked.push(entry);
      reply(response, script(entry));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: bmcAddress("http", "127.0.0.1", port),
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function reply(response: ServerResponse, { status = 200, headers = {}, body, cutAfter, hang }: Reply): void {
  if (hang) return;
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
  response.writeHead(status, { "content-length": Buffer.byteLength(text), ...headers });
  if (cutAfter === undefined) return void response.end(text);
  response.write(text.slice(0, cutAfter), () => response.destroy());
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
