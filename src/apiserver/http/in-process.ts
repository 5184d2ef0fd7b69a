/** The transport of `src/kube` into this very process: the same pipeline as over HTTP, without the wire. */
import { ConnectionLost, type Transport, type TransportRequest, type TransportResponse } from "#kube";
import { type ApiRequest, type ApiResponse, type Handler, isStream, type Sink, type UserInfo } from "./message.ts";

/** A transport whose requests are made by `user`. Closing it fails what is in flight and everything after. */
export function inProcessTransport(handle: Handler, user: UserInfo | undefined): Transport {
  const closed = new AbortController();
  return {
    request: async (request) => {
      if (closed.signal.aborted) throw new ConnectionLost("the transport is closed");
      request.signal.throwIfAborted();
      request.beforeSend?.();
      const signal = AbortSignal.any([request.signal, closed.signal]);
      const answer = await raceAbort(handle(toApiRequest(request, user, signal)), signal);
      return toTransportResponse(answer, signal);
    },
    close: async () => closed.abort(new ConnectionLost("the transport was closed")),
  };
}

function toApiRequest(request: TransportRequest, user: UserInfo | undefined, signal: AbortSignal): ApiRequest {
  const target = new URL(request.path, "https://localhost");
  const { body = "" } = request;
  return {
    method: request.method,
    path: decodeURIComponent(target.pathname),
    query: target.searchParams,
    headers: request.headers ?? {},
    body: typeof body === "string" ? Buffer.from(body) : body,
    ...(user && { user }),
    signal,
  };
}

function raceAbort<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function toTransportResponse(answer: ApiResponse, signal: AbortSignal): TransportResponse {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
  return {
    status: answer.status,
    headers,
    text: async () => {
      if (typeof answer.body === "string") return answer.body;
      const parts: Uint8Array[] = [];
      for await (const chunk of chunksOf(answer, signal)) parts.push(chunk);
      return Buffer.concat(parts).toString("utf8");
    },
    chunks: () => chunksOf(answer, signal),
  };
}

async function* chunksOf({ body }: ApiResponse, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!isStream(body)) {
    yield typeof body === "string" ? Buffer.from(body) : body;
    return;
  }
  const reading = new AbortController();
  const queue = new ChunkQueue();
  const ended = AbortSignal.any([signal, reading.signal]);
  signal.addEventListener("abort", () => queue.end(), { once: true });
  body.run(queue, ended);
  try {
    for (let chunk = await queue.take(); chunk; chunk = await queue.take()) yield chunk;
    signal.throwIfAborted();
  } finally {
    reading.abort(new Error("the reader left"));
  }
}

/** Chunks on their way from a stream to its one reader. */
class ChunkQueue implements Sink {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #ended = false;
  #wake: (() => void) | undefined;

  get buffered(): number {
    return this.#bytes;
  }

  write(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async take(): Promise<Uint8Array | undefined> {
    while (this.#chunks.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunks.shift();
    this.#bytes -= chunk?.length ?? 0;
    return chunk;
  }
}
