/**
 * The one thing under the client: carries a request to a Kubernetes API and brings back its answer.
 * Implementations: HTTP (undici), or in-process into the embedded API server.
 */

/** Who goes first when requests queue: leases before status before ordinary work before bulk lists. */
export type Priority = "lease" | "status" | "normal" | "bulk";

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Starts with "/" and includes the query. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the request: the caller's cancellation and its deadline in one. Meaningless, and to be let go of, once the answer is complete. */
  readonly signal: AbortSignal;
  readonly priority?: Priority;
  /** True for watches: the body is read for minutes, so it holds no place in the in-flight limit. */
  readonly streaming?: boolean;
  /**
   * Called at the moment of sending, after any queueing and connecting, right before the first byte leaves.
   * When it throws, nothing is sent and the request fails with what it threw.
   */
  readonly beforeSend?: () => void;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Reads the whole body. Exactly one of `text` and `chunks` may be used. */
  text(): Promise<string>;
  /** Reads the body as it arrives; leaving the loop ends the request. */
  chunks(): AsyncIterable<Uint8Array>;
}

export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Ends all connections; requests in flight fail. */
  close(): Promise<void>;
}

/** The request never reached the server: safe to send again, whatever it was. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

/** The request was sent, or may have been, and no complete answer came back. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}
