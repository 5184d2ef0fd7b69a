/** What an API server's refusal looks like here, and how callers tell refusals apart. */

/** The `Status` object of the wire, as far as anyone reads it. */
export interface StatusDetailsCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface Status {
  readonly kind?: "Status";
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly StatusDetailsCause[];
  };
}

/** The server answered, and the answer was no. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status. */
  readonly code: number;
  /** The wire's word for it: `NotFound`, `Conflict`, `Invalid`, `Expired`, … */
  readonly reason: string;
  readonly status: Status;
  readonly retryAfterMs: number | undefined;

  constructor(attempt: string, code: number, status: Status, retryAfterMs?: number) {
    super(`${attempt}: ${status.message ?? `HTTP ${code}`}`);
    this.code = code;
    this.reason = status.reason ?? "Unknown";
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A write was sent and no conclusive answer came back: it may or may not have happened. Read before deciding again. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
  constructor(attempt: string, cause: unknown) {
    super(
      `${attempt}: no conclusive answer came back, so it may or may not have happened; read it before deciding again`,
      {
        cause,
      },
    );
  }
}

/** The call's own deadline passed before an answer was complete (reads only; for writes see OutcomeUnknown). */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
  constructor(attempt: string, timeoutMs: number, cause?: unknown) {
    super(`${attempt}: no answer within ${timeoutMs} ms${cause instanceof Error ? ` (last: ${cause.message})` : ""}`, {
      cause,
    });
  }
}

const hasReason =
  (...reasons: readonly string[]) =>
  (error: unknown): error is ApiError =>
    error instanceof ApiError && reasons.includes(error.reason);

export const isNotFound = hasReason("NotFound");
export const isAlreadyExists = hasReason("AlreadyExists");
export const isConflict = hasReason("Conflict");
export const isInvalid = hasReason("Invalid");
export const isForbidden = hasReason("Forbidden");
export const isUnauthorized = hasReason("Unauthorized");
/** The resourceVersion asked for is too old: list again. */
export const isExpired = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 410 || error.reason === "Expired" || error.reason === "Gone");
