/** Stands between programs and a real API server, passes everything on and writes down when each request began, and whose it was. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, request } from "node:https";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";

export interface SeenRequest {
  readonly at: number;
  /** The user agent: each program of a scenario has its own. */
  readonly from: string;
  readonly method: string;
  readonly path: string;
}

export interface RecordingProxy {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

export async function startRecordingProxy(upstream: string, ca: string): Promise<RecordingProxy> {
  const seen: SeenRequest[] = [];
  const agent = new Agent({ ca, keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    seen.push({ at: performance.now(), from: `${headers["user-agent"]}`, method, path: url });
    void passOn(incoming, outgoing, { upstream, agent });
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

async function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { upstream, agent }: { upstream: string; agent: Agent },
): Promise<void> {
  const { method, headers, url } = incoming;
  const onward = request(`${upstream}${url}`, { method, headers, agent });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    onward.once("response", resolve);
    onward.once("error", reject);
  });
  outgoing.once("close", () => onward.destroy());
  try {
    await pipeline(incoming, onward);
    const answer = await answered;
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    await pipeline(answer, outgoing);
  } catch {
    outgoing.destroy();
  }
}
