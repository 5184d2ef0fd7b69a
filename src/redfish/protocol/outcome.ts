/** What asking a BMC comes to: a value, or a failure that callers branch on. A sick BMC is never an exception. */

export type FailureCode =
  /** No connection: refused, no route, name not found, or reset before an answer. The request was not processed. */
  | "Unreachable"
  /** Sent, but the connection ended before a complete answer; a write may or may not have happened. */
  | "ConnectionLost"
  | "TimedOut"
  /** The certificate is not the one we trust. */
  | "Untrusted"
  /** Credentials refused. Never tried again by itself: BMCs lock accounts. */
  | "Unauthorized"
  | "Forbidden"
  /** Every session slot of the BMC is taken. */
  | "SessionsFull"
  | "NotFound"
  | "PreconditionFailed"
  /** 429 or 503: come back after `retryAfterMs`. */
  | "Busy"
  /** The BMC has no such feature, or not in the way we need it. */
  | "NotSupported"
  /** Any other refusal of what we asked. */
  | "Refused"
  /** A 5xx other than 503. */
  | "ServerError"
  /** An answer that is not Redfish: HTML, truncated JSON, too long. */
  | "BrokenAnswer"
  /** The fence was closed: nothing was sent. */
  | "Fenced";

/** One entry of `@Message.ExtendedInfo`. */
export interface ExtendedMessage {
  readonly messageId: string;
  readonly message: string;
  readonly severity?: string;
  readonly resolution?: string;
  readonly args: readonly string[];
}

export interface Failure {
  readonly code: FailureCode;
  /** One sentence: what was attempted, on what, what came back. Never contains credentials. */
  readonly message: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly extended?: readonly ExtendedMessage[];
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export function success<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function failure<T = never>(
  code: FailureCode,
  message: string,
  more: Omit<Failure, "code" | "message"> = {},
): Outcome<T> {
  return { ok: false, failure: { code, message, ...more } };
}

/** The value changed, or the failure passed on. */
export function mapOutcome<A, B>(outcome: Outcome<A>, change: (value: A) => B): Outcome<B> {
  return outcome.ok ? success(change(outcome.value)) : outcome;
}
