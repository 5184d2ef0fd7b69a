/** Requests that simulated machines and BMCs make themselves. Bounded in number, size and time; remembers nothing. */
import { Agent } from "undici";
import type { Clock } from "#clock";

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly bytes: number;
}

export interface Ask {
  readonly method?: "GET" | "POST";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
  /** Keep at most this much text; the rest is read and dropped, as firmware streams an image into memory. */
  readonly keepBytes?: number;
}

const REQUEST_DEADLINE_MS = 30_000;
const KEPT_BYTES = 1 << 20;

export class Outbound {
  readonly #clock: Clock;
  readonly #agent = new Agent({ connections: 64, pipelining: 1, keepAliveTimeout: 2_000, connect: { timeout: 5_000 } });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rejects when nothing answered in time or the signal ended it. */
  async request(url: string, ask: Ask): Promise<Answer> {
    const deadline = new AbortController();
    const timer = this.#clock.after(ask.deadlineMs ?? REQUEST_DEADLINE_MS, () =>
      deadline.abort(new Error(`${ask.method ?? "GET"} ${url}: no answer in time`)),
    );
    try {
      const target = new URL(url);
      const { statusCode, body } = await this.#agent.request({
        origin: target.origin,
        path: target.pathname + target.search,
        method: ask.method ?? "GET",
        headers: { "user-agent": "metalwright-fleet", ...ask.headers },
        signal: AbortSignal.any([ask.signal, deadline.signal]),
        ...(ask.body === undefined ? {} : { body: ask.body }),
      });
      return { status: statusCode, ...(await readUpTo(body, ask.keepBytes ?? KEPT_BYTES)) };
    } finally {
      timer.cancel();
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

async function readUpTo(body: AsyncIterable<Buffer>, limit: number): Promise<{ text: string; bytes: number }> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (bytes < limit) kept.push(chunk.subarray(0, limit - bytes));
    bytes += chunk.length;
  }
  return { text: Buffer.concat(kept).toString("utf8"), bytes };
}
