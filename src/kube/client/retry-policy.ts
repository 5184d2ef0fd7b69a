/**
 * Decides whether a failed attempt is repeated, and what its failure means for the call as a whole. Pure.
 *
 * A read may always be repeated. A write may be repeated without thought only when the server says it did not process it
 * (429 or 503 with Retry-After) or it was never sent. After an answer was lost, only a write with a precondition is
 * repeated: each success moves the resourceVersion, so at most one of the attempts can ever succeed. A repeat that succeeds
 * settles the call. A repeat that is refused settles nothing: "Conflict" may be the trace of our own first attempt, and the
 * content cannot tell either, since another writer may have written the same, or overwritten ours. That is OutcomeUnknown,
 * and the caller reads. The one exception is a deletion by uid alone: when the object with that uid is gone, what was asked
 * for is so.
 */
import { Fenced } from "../transport/fence.ts";
import { ConnectionLost, NotSent } from "../transport/transport.ts";
import { NOT_KUBERNETES } from "./answer.ts";
import { ApiError } from "./errors.ts";

export type Repeatability = "read" | "precondition" | "never";

/** What a failure says about the attempt: it did not happen, it may have, or the server decided against it. */
export type Verdict = "not sent" | "lost" | "refused";

const BACKOFF_FROM_MS = 100;
const BACKOFF_TO_MS = 5_000;
const RETRY_AFTER_CAP_MS = 10_000;

export function verdictOn(error: unknown, sent: boolean): Verdict {
  if (error instanceof ApiError) return mayHaveHappened(error) ? "lost" : "refused";
  if (error instanceof NotSent || error instanceof Fenced || !sent) return "not sent";
  return "lost";
}

/** Whether another attempt is right after this failure. */
export function isRepeatable(error: unknown, verdict: Verdict, repeatability: Repeatability): boolean {
  if (error instanceof NotSent) return true;
  if (error instanceof ApiError && isHeldOff(error))
    return error.retryAfterMs !== undefined || repeatability === "read";
  if (error instanceof ApiError)
    return verdict === "lost" && repeatability !== "never" && error.reason !== NOT_KUBERNETES;
  return error instanceof ConnectionLost && repeatability !== "never";
}

/** How long to wait before attempt number `tries` + 1: what the server asks for, at least a back-off, with jitter. */
export function delayBefore(tries: number, error: unknown, random: number): number {
  const backoff = Math.min(BACKOFF_TO_MS, BACKOFF_FROM_MS * 2 ** tries) * (0.5 + random / 2);
  const asked = error instanceof ApiError ? Math.min(error.retryAfterMs ?? 0, RETRY_AFTER_CAP_MS) : 0;
  return Math.max(backoff, asked * (1 + random / 5));
}

function isHeldOff({ code }: ApiError): boolean {
  return code === 429 || code === 503;
}

/** Storage that did not answer in time may still have written; so may a server behind a proxy that gave up on it. */
const UNCERTAIN_MESSAGE = /etcdserver: |rpc error: |context deadline exceeded|request timed out/;

function mayHaveHappened(error: ApiError): boolean {
  const { code, reason, message } = error;
  if (code < 400) return true;
  if (code === 502 || code === 504 || reason === "Timeout") return true;
  if (code === 503) return error.retryAfterMs === undefined;
  return code === 500 && UNCERTAIN_MESSAGE.test(message);
}
