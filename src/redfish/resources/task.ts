/** Long work on a BMC: where it is told of, how far it is, how it ended. Asks once per call; waiting is the caller's. */
import { extendedMessages, messageKey } from "../protocol/extended-error.ts";
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import type { TaskSource } from "../protocol/quirks.ts";
import { type Json, readLink, readNumber, readRecords, readString, readStrings, reported } from "../protocol/read.ts";
import type { Accepted, CallOptions, RedfishService } from "../protocol/service.ts";
import { pathOf } from "../protocol/session.ts";

export type TaskPhase = "waiting" | "running" | "succeeded" | "failed";

export interface TaskProgress {
  /** Where to ask next: a task may hand over to a job. */
  readonly monitor: string;
  readonly phase: TaskPhase;
  /** As the BMC says it: New, Running, Exception, … */
  readonly state: string;
  readonly percent?: number;
  readonly name?: string;
  readonly startTime?: string;
  readonly endTime?: string;
  readonly messages: readonly string[];
}

const standardSources: readonly TaskSource[] = ["location", "taskMonitor", "id"];

/** The path at which to ask for what was accepted; undefined when the answer names none. */
export function taskMonitorOf({ quirks }: RedfishService, { answer, monitor }: Accepted): string | undefined {
  if (answer.status !== 202) return undefined;
  const { headers, body } = answer;
  const sources: Readonly<Record<TaskSource, string | undefined>> = {
    location: headers.location,
    taskMonitor: readString(body, "TaskMonitor"),
    id: readString(body, "@odata.id"),
    task: readLink(body, "Task"),
  };
  const named = (quirks.taskIn ?? standardSources).map((source) => sources[source]).find((one) => one !== undefined);
  return named === undefined ? monitor : pathOf(named);
}

/** How far the work is. */
export async function readTask(
  service: RedfishService,
  monitor: string,
  options: CallOptions = {},
): Promise<Outcome<TaskProgress>> {
  const { outcome, job } = await readOne(service, monitor, options);
  return job === undefined ? outcome : (await readOne(service, job, options)).outcome;
}

interface Read {
  readonly outcome: Outcome<TaskProgress>;
  /** Where the work went on; followed once, because firmware could name itself. */
  readonly job?: string | undefined;
}

async function readOne(service: RedfishService, monitor: string, options: CallOptions): Promise<Read> {
  const answer = await service.get(pathOf(monitor), options);
  if (!answer.ok) return { outcome: answer };
  const { body } = answer.value;
  const ended = service.quirks.taskEndsAsError ? endedAsError(monitor, body) : undefined;
  if (ended) return { outcome: success(ended) };
  const task = progressOf(monitor, body, "Task") ?? progressOf(monitor, body, "Job");
  if (!task) return { outcome: failure("BrokenAnswer", `GET ${monitor}: the answer is neither a task nor a job`) };
  const job = service.quirks.taskHandsToJob && task.phase === "succeeded" ? jobOf(body) : undefined;
  return { outcome: success(task), job };
}

function progressOf(monitor: string, body: Json, kind: "Task" | "Job"): TaskProgress | undefined {
  const state = readString(body, `${kind}State`);
  if (state === undefined) return undefined;
  return {
    monitor,
    phase: phaseOf(state, readString(body, `${kind}Status`)),
    state,
    ...reported({
      percent: readNumber(body, "PercentComplete"),
      name: readString(body, "Name"),
      startTime: readString(body, "StartTime"),
      endTime: readString(body, "EndTime"),
    }),
    messages: readRecords(body, "Messages")
      .map((entry) => readString(entry, "Message") ?? readString(entry, "MessageId"))
      .filter((text) => text !== undefined),
  };
}

const waiting: ReadonlySet<string> = new Set(["New", "Pending", "Starting", "Suspended", "Paused", "Validating"]);
const failed: ReadonlySet<string> = new Set(["Exception", "Killed", "Cancelled", "Canceled", "Interrupted", "Invalid"]);

/** A task that completed with a critical status did not succeed, whatever its state says. */
export function phaseOf(state: string, status: string | undefined): TaskPhase {
  if (failed.has(state)) return "failed";
  if (state === "Completed") return status === "Critical" ? "failed" : "succeeded";
  return waiting.has(state) ? "waiting" : "running";
}

/** The monitor of some firmware ends as an error body whose first message says whether it went well. */
function endedAsError(monitor: string, body: Json): TaskProgress | undefined {
  if (readString(body, "TaskState") !== undefined || readString(body, "@odata.id") !== undefined) return undefined;
  const [first] = extendedMessages(body);
  if (!first) return undefined;
  const good = messageKey(first.messageId).includes("Success");
  return {
    monitor,
    phase: good ? "succeeded" : "failed",
    state: good ? "Completed" : "Exception",
    percent: 100,
    messages: [first.message || first.messageId],
  };
}

function jobOf(body: Json): string | undefined {
  const handed = readRecords(body, "Messages").find((entry) =>
    (readString(entry, "MessageId") ?? "").includes("OperationTransitionedToJob"),
  );
  const [job] = readStrings(handed, "MessageArgs");
  return job === undefined ? undefined : pathOf(job);
}

/** What helps when a task has not moved for too long. */
export function remedyForStall({ quirks }: RedfishService): "ResetManager" | "Wait" {
  return quirks.stalledJobNeedsManagerReset ? "ResetManager" : "Wait";
}
