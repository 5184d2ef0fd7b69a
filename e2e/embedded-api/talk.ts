/** Plain requests to a server under test: JSON in, JSON out, no client library in between. */
import type { Dispatcher, Pool } from "undici";

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every kind
  readonly body: any;
}

export type Send = (method: Dispatcher.HttpMethod, path: string, body?: unknown, type?: string) => Promise<Answer>;

const DEADLINE_MS = 10_000;

export function talk(pool: Pool): Send {
  return async (method, path, body, type = "application/json") => {
    const response = await pool.request({
      method,
      path,
      headers: { "content-type": type, "user-agent": "e2e" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return { status: response.statusCode, body: JSON.parse(await response.body.text()) };
  };
}
