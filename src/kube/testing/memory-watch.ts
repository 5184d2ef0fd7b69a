/** One watch of the in-memory API: a buffer between the store and its reader, which a test can cut or stall. */
import type { WatchEvent } from "../client/client.ts";

export class MemoryWatch<T> {
  readonly #buffer: WatchEvent<T>[] = [];
  readonly #onActivity: (() => void) | undefined;
  #ended: { readonly error?: unknown } | undefined;
  #stalled = false;
  #wake: () => void = () => {};

  constructor(onActivity?: () => void) {
    this.#onActivity = onActivity;
  }

  push(event: WatchEvent<T>): void {
    if (this.#stalled || this.#ended) return;
    this.#buffer.push(event);
    this.#wake();
  }

  /** Ends as the server ends a watch whose time is over: what was sent before still arrives. */
  end(): void {
    this.#finish({});
  }

  /** Ends with an error; what had not been read yet is lost, as with a torn connection. */
  cut(error: unknown): void {
    this.#buffer.length = 0;
    this.#finish({ error });
  }

  /** From now on nothing arrives, not even the end: a connection whose other side is gone without a word. */
  stall(): void {
    this.#stalled = true;
    this.#buffer.length = 0;
  }

  async *events(signal: AbortSignal): AsyncGenerator<WatchEvent<T>, void> {
    const onAbort = (): void => this.#finish({ error: signal.reason });
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    this.#onActivity?.();
    try {
      for (;;) {
        for (let event = this.#buffer.shift(); event && !signal.aborted; event = this.#buffer.shift()) {
          this.#onActivity?.();
          yield event;
        }
        if (signal.aborted) throw signal.reason;
        if (this.#ended && "error" in this.#ended) throw this.#ended.error;
        if (this.#ended) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #finish(how: { readonly error?: unknown }): void {
    if (this.#stalled && !("error" in how)) return;
    this.#ended ??= how;
    this.#wake();
  }
}
