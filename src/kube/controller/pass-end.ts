/** What becomes of a key after its pass: rest, come back at a time, come back soon, or back off. Quiet about conflicts. */
import { type Clock, milliseconds, seconds } from "#clock";
import { ApiError, isAlreadyExists, isConflict, isNotFound, OutcomeUnknown } from "../client/errors.ts";
import { keyOf } from "../informer/informer.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import { Fenced } from "../transport/fence.ts";
import type { PassResult } from "./metrics.ts";
import type { Pass, PassEnd } from "./pass.ts";
import type { Stopping } from "./runtime.ts";

/** A wakeAt in the past comes back after this long, so that a decision that never settles does not spin. */
const SOONEST_MS = milliseconds(100);
/** The answer to a write was lost: by then the cache has probably seen whether it happened. */
const LOOK_AGAIN_MS = seconds(1);
/** A key that conflicts so often in a row is not meeting another writer by chance. */
const SUSPICIOUS_CONFLICTS = 8;

export interface Aftermath {
  readonly queue: WorkQueue;
  readonly pass: Pass;
  readonly clock: Clock;
  readonly stopping: Stopping;
}

/** Puts the key where it belongs and names the result for the metrics. */
export function settlePass(end: PassEnd, after: Aftermath): PassResult {
  const { queue, pass, clock } = after;
  const key = keyOf(pass.key);
  if (end.was === "failed") return settleFailure(end, key, after);
  queue.forget(key);
  if (end.was === "gone") return "gone";
  const { wakeAt, reason } = end.decision;
  if (wakeAt) queue.addAfter(key, Math.max(wakeAt.getTime() - clock.now().getTime(), SOONEST_MS));
  pass.log.debug({ reason }, "pass done");
  return "success";
}

function settleFailure(end: PassEnd & { was: "failed" }, key: string, after: Aftermath): PassResult {
  const { queue, pass, stopping } = after;
  const { error, step } = end;
  if (stopping.kill.aborted) return "stopped";
  if (error instanceof Fenced) {
    pass.log.warn({ err: error }, "pass ended by the fence");
    queue.addRateLimited(key);
    return "fenced";
  }
  if (error instanceof OutcomeUnknown) {
    pass.log.info({ err: error }, "answer lost, looking again");
    queue.addAfter(key, LOOK_AGAIN_MS);
    return "unknown";
  }
  const chance = isChangedMeanwhile(error, step) && queue.retries(key) < SUSPICIOUS_CONFLICTS;
  if (chance) pass.log.debug({ reason: error instanceof ApiError && error.reason }, "object changed meanwhile");
  else pass.log.error({ err: error, step, retries: queue.retries(key) }, "pass failed");
  if (error instanceof ApiError && error.retryAfterMs) queue.addAfter(key, error.retryAfterMs);
  else queue.addRateLimited(key);
  return chance ? "conflict" : "error";
}

/** Someone else wrote, created or deleted first: the cache will tell, and a fresh look decides again. */
function isChangedMeanwhile(error: unknown, step: string): boolean {
  return step === "act" && (isConflict(error) || isAlreadyExists(error) || isNotFound(error));
}
