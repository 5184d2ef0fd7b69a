/** Everything a watch brought, across connections: each time it goes on from the last revision it saw. */
import type { Pool } from "undici";

interface Event {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
    readonly data?: { readonly text?: string };
  };
}

const DEADLINE_MS = 20_000;

export class WatchLog {
  readonly #path: string;
  readonly #texts = new Map<string, string>();
  readonly revisions: number[] = [];
  #last: string;

  constructor(path: string, from: string) {
    this.#path = path;
    this.#last = from;
  }

  /** What the events so far add up to. */
  state(): Map<string, string> {
    return new Map(this.#texts);
  }

  /** Reads until the connection ends, or until `revision` has come by. Throws when the server refuses to resume. */
  async follow(pool: Pool, until = Number.POSITIVE_INFINITY): Promise<void> {
    const path = `${this.#path}?watch=true&resourceVersion=${this.#last}`;
    const response = await pool.request({ method: "GET", path, signal: AbortSignal.timeout(DEADLINE_MS) });
    let rest = "";
    try {
      for await (const chunk of response.body) {
        const lines = (rest + String(chunk)).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.#take(JSON.parse(line));
        if (Number(this.#last) >= until) break;
      }
    } catch (error) {
      if (until !== Number.POSITIVE_INFINITY) throw error;
    }
  }

  #take({ type, object }: Event): void {
    const { metadata, data } = object;
    if (!["ADDED", "MODIFIED", "DELETED"].includes(type))
      throw new Error(`the watch brought ${JSON.stringify(object)}`);
    this.#last = metadata.resourceVersion;
    this.revisions.push(Number(metadata.resourceVersion));
    if (type === "DELETED") this.#texts.delete(metadata.name);
    else this.#texts.set(metadata.name, data?.text ?? "");
  }
}
