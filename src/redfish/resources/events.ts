/** Events as BMCs send them, by POST or by stream: decoded one by one, so that one odd event does not hide the others. */
import { isRecord, type Json, readLink, readRecords, readString, readStrings, reported } from "../protocol/read.ts";
import { type Severity, severityOf } from "./status.ts";

export interface RedfishEvent {
  readonly id?: string;
  readonly messageId?: string;
  readonly message?: string;
  readonly args: readonly string[];
  readonly severity?: Severity;
  readonly time?: string;
  /** The resource it is about. */
  readonly origin?: string;
}

/** The events of a body; some firmware calls them Alerts. */
export function eventsOf(body: unknown): readonly RedfishEvent[] {
  const listed = [...readRecords(body, "Events"), ...readRecords(body, "Alerts")];
  return listed.map(eventOf);
}

function eventOf(entry: Json): RedfishEvent {
  return {
    ...reported({
      id: readString(entry, "EventId"),
      messageId: readString(entry, "MessageId"),
      message: readString(entry, "Message"),
      severity: severityOf(readString(entry, "MessageSeverity") ?? readString(entry, "Severity")),
      time: readString(entry, "EventTimestamp"),
      origin: originOf(entry),
    }),
    args: readStrings(entry, "MessageArgs"),
  };
}

/** A link by the standard; plain text from Dell. */
function originOf(entry: Json): string | undefined {
  return isRecord(entry.OriginOfCondition)
    ? readLink(entry, "OriginOfCondition")
    : readString(entry, "OriginOfCondition");
}
