/** Log entries of a system or manager, newest first, from a severity upwards. */
import { readBoolean, readLink, readString, readStrings, reported } from "../protocol/read.ts";
import type { Resource } from "../protocol/service.ts";
import type { Survey } from "../protocol/survey.ts";
import { type Severity, severityOf, worst } from "./status.ts";

export interface LogEntry {
  readonly path: string;
  readonly id?: string;
  readonly created?: string;
  readonly severity?: Severity;
  readonly message?: string;
  readonly messageId?: string;
  readonly args: readonly string[];
}

/** Reads every log service below `logServices`. Entries without a severity count as OK. */
export async function readLogs(
  survey: Survey,
  logServices: string | undefined,
  { from = "OK", most = 100 }: { readonly from?: Severity; readonly most?: number } = {},
): Promise<readonly LogEntry[]> {
  const found: LogEntry[] = [];
  for (const log of await survey.members(logServices)) {
    if (readBoolean(log.body, "ServiceEnabled") === false) continue;
    found.push(...(await survey.members(readLink(log.body, "Entries"))).map(logEntryOf));
  }
  return found
    .filter(({ severity = "OK" }) => worst([severity, from]) === severity)
    .sort(newestFirst)
    .slice(0, most);
}

export function logEntryOf({ path, body }: Resource): LogEntry {
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      created: readString(body, "Created"),
      severity: severityOf(readString(body, "Severity")),
      message: readString(body, "Message"),
      messageId: readString(body, "MessageId"),
    }),
    args: readStrings(body, "MessageArgs"),
  };
}

function newestFirst(a: LogEntry, b: LogEntry): number {
  return (b.created ?? "").localeCompare(a.created ?? "");
}
