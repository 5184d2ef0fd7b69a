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

/** To one origin at a time; more wait in line, and waiting does not count towards their deadline. */
const MOST_AT_ONCE = 64;

interface Line {
  busy: number;
  readonly waiting: (() => void)[];
}

export class Outbound {
  readonly #clock: Clock;
  readonly #lines = new Map<string, Line>();
  readonly #agent = new Agent({
    connections: MOST_AT_ONCE,
    pipelining: 1,
    keepAliveTimeout: 2_000,
    connect: { timeout: 5_000 },
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rejects when nothing answered in time or the signal ended it. */
  async request(url: string, ask: Ask): Promise<Answer> {
    const target = new URL(url);
    await this.#takeTurn(target.origin);
    try {
      ask.signal.throwIfAborted();
      return await this.#send(target, ask);
    } finally {
      this.#passTurn(target.origin);
    }
  }

  async #send(target: URL, ask: Ask): Promise<Answer> {
    const { method = "GET" } = ask;
    const deadline = new AbortController();
    const timer = this.#clock.after(ask.deadlineMs ?? REQUEST_DEADLINE_MS, () =>
      deadline.abort(new Error(`${method} ${target.href}: no answer in time`)),
    );
    try {
      const { statusCode, body } = await this.#agent.request({
        origin: target.origin,
        path: target.pathname + target.search,
        method,
        headers: { "user-agent": "metalwright-fleet", ...ask.headers },
        signal: AbortSignal.any([ask.signal, deadline.signal]),
        ...(ask.body === undefined ? {} : { body: ask.body }),
      });
      return { status: statusCode, ...(await readUpTo(body, ask.keepBytes ?? KEPT_BYTES)) };
    } finally {
      timer.cancel();
    }
  }

  async #takeTurn(origin: string): Promise<void> {
    const line = this.#lines.get(origin) ?? { busy: 0, waiting: [] };
    this.#lines.set(origin, line);
    if (line.busy < MOST_AT_ONCE) line.busy += 1;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
  }

  /** The turn goes to the next in line, or back. */
  #passTurn(origin: string): void {
    const line = this.#lines.get(origin);
    const next = line?.waiting.shift();
    if (next) next();
    else if (line && --line.busy === 0) this.#lines.delete(origin);
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
