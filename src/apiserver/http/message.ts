/** One request and one answer, whatever carried them: HTTP or a call within the process. */

/** Who is asking, as authentication found out. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ApiRequest {
  readonly method: string;
  /** Decoded path, starts with "/". */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** Set when the connection itself proves who asks (client certificate, in-process). */
  readonly user?: UserInfo;
  readonly signal: AbortSignal;
}

/** Where a streamed answer goes. */
export interface Sink {
  /** Hands over one chunk; never waits. */
  write(chunk: Uint8Array): void;
  /** Bytes handed over and not yet taken by the reader. */
  readonly buffered: number;
  end(): void;
}

/** A body that is written over time. `run` returns at once; it stops when `signal` is aborted. */
export interface StreamBody {
  readonly run: (sink: Sink, signal: AbortSignal) => void;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: string | Uint8Array | StreamBody;
}

export type Handler = (request: ApiRequest) => Promise<ApiResponse>;

export function isStream(body: ApiResponse["body"]): body is StreamBody {
  return typeof body === "object" && "run" in body;
}

/** A JSON answer with one line break at its end, as upstream writes it. */
export function json(status: number, value: unknown): ApiResponse {
  return { status, headers: { "content-type": "application/json" }, body: `${JSON.stringify(value)}\n` };
}

export function text(status: number, body: string): ApiResponse {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
    body,
  };
}
