/**
 * One request and its answer on one connection: undici calls the `on…` methods, the caller reads the answer.
 * It knows whether the request was sent, and never lets it be sent twice.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { ConnectionLost, NotSent, type TransportRequest, type TransportResponse } from "./transport.ts";

/** Beyond this many bytes unread, a stream's sender is held back. */
const UNREAD_LIMIT = 1_048_576;

export class Exchange implements TransportResponse, Dispatcher.DispatchHandler {
  status = 0;
  readonly #request: TransportRequest;
  readonly #onDone: () => void;
  #received: IncomingHttpHeaders = {};
  #headers: Readonly<Record<string, string>> | undefined;
  #sent = false;
  #done = false;
  #failure: { readonly error: unknown } | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Buffer[] = [];
  #unread = 0;
  #wake: (() => void) | undefined;
  #answered: { resolve(response: Exchange): void; reject(error: unknown): void } | undefined;

  /** `onDone` is told once, when nothing of the exchange is under way any more. */
  constructor(request: TransportRequest, onDone: () => void) {
    this.#request = request;
    this.#onDone = onDone;
  }

  /** Sends through the dispatcher; resolves when the answer's head is here. */
  run(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<Exchange> {
    return new Promise((resolve, reject) => {
      this.#answered = { resolve, reject };
      const { signal } = this.#request;
      if (signal.aborted) return this.#fail(signal.reason);
      signal.addEventListener("abort", this.#onAbort);
      try {
        dispatcher.dispatch(options, this);
      } catch (error) {
        this.#fail(new NotSent(`${this.#attempt}: ${describe(error)}`, { cause: error }));
      }
    });
  }

  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= joined(this.#received);
    return this.#headers;
  }

  async text(): Promise<string> {
    while (!this.#done) await this.#more();
    if (this.#failure) throw this.#failure.error;
    const chunks = this.#drain();
    const [only] = chunks;
    return chunks.length === 1 && only ? only.toString("utf8") : Buffer.concat(chunks).toString("utf8");
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        yield* this.#drain();
        // While the reader was busy more may have come, and nobody will be woken for it again.
        if (this.#chunks.length > 0) continue;
        if (this.#failure) throw this.#failure.error;
        if (this.#done) return;
        await this.#more();
      }
    } finally {
      this.discard();
    }
  }

  /** Ends the exchange; what has not arrived yet is not waited for. */
  discard(): void {
    if (!this.#done) this.#abort(new ConnectionLost(`${this.#attempt}: the answer was not wanted any more`));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#failure) throw this.#failure.error;
    if (this.#sent) throw new ConnectionLost(`${this.#attempt}: it was sent once already`);
    try {
      this.#request.beforeSend?.();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
    this.#sent = true;
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.#received = headers;
    this.#answered?.resolve(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#unread += chunk.length;
    if (this.#request.streaming && this.#unread > UNREAD_LIMIT) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#done) return;
    const Loss = this.#sent ? ConnectionLost : NotSent;
    const what = this.#sent ? "the connection was lost" : "it could not be sent";
    this.#fail(new Loss(`${this.#attempt}: ${what}: ${describe(error)}`, { cause: error }));
  }

  readonly #onAbort = (): void => this.#abort(this.#request.signal.reason);

  #abort(error: unknown): void {
    this.#chunks = [];
    this.#fail(error);
    // Before it is sent there is no connection to end: onRequestStart refuses when its turn comes.
    this.#controller?.abort(error instanceof Error ? error : new Error(String(error)));
  }

  #fail(error: unknown): void {
    if (this.#done) return;
    this.#failure = { error };
    this.#finish();
    this.#answered?.reject(error);
  }

  #finish(): void {
    if (this.#done) return;
    this.#done = true;
    this.#request.signal.removeEventListener("abort", this.#onAbort);
    this.#onDone();
    this.#wake?.();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #drain(): Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#unread = 0;
    if (this.#controller?.paused) this.#controller.resume();
    return chunks;
  }

  get #attempt(): string {
    return `${this.#request.method} ${this.#request.path}`;
  }
}

function joined(headers: IncomingHttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    plain[name] = Array.isArray(value) ? value.join(", ") : (value ?? "");
  }
  return plain;
}

/** Node's connection errors say little in `message` when several addresses were tried; the code says what happened. */
function describe(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
