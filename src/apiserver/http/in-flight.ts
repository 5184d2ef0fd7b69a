/** How many requests are worked on at once; beyond that clients are asked to come back, so that none starves the server. */
import { tooManyRequests } from "./status-error.ts";

/** Upstream's defaults. */
const LIMITS = { reading: 400, writing: 200 } as const;
const RETRY_AFTER_SECONDS = 1;

export class InFlight {
  readonly #running = { reading: 0, writing: 0 };

  /** Runs `work` within the limit of its kind, or refuses with 429. */
  async run<T>(method: string, work: () => Promise<T>): Promise<T> {
    const kind = method === "GET" || method === "HEAD" ? "reading" : "writing";
    if (this.#running[kind] >= LIMITS[kind]) throw tooManyRequests(RETRY_AFTER_SECONDS);
    this.#running[kind]++;
    try {
      return await work();
    } finally {
      this.#running[kind]--;
    }
  }
}
