/** How an Event (events.k8s.io/v1) is written about an object. */
import { createHash } from "node:crypto";
import { type Event, type KubeObject, wireMicroTime } from "#kinds";
import type { Announcement } from "../controller/decision.ts";

/** Who reports: the program and the process. */
export interface Reporter {
  readonly controller: string;
  readonly instance: string;
}

/** What the server refuses beyond this many characters. */
const LONGEST_NOTE = 1024;
const LONGEST_WORD = 128;

/** What makes two announcements the same one, told again. */
export function seriesKey(regarding: KubeObject, { type, reason, action, note }: Announcement): string {
  const { namespace, name, uid } = regarding.metadata;
  const words = [regarding.apiVersion, regarding.kind, namespace, name, uid, type, reason, action, note];
  return createHash("sha256").update(JSON.stringify(words)).digest("base64url");
}

/** A first occurrence. Events about cluster-scoped objects live in `default`, where kubectl looks for them. */
export function eventAbout(regarding: KubeObject, said: Announcement, reporter: Reporter, at: Date): Event {
  const { name = "", namespace, uid, resourceVersion } = regarding.metadata;
  const suffix = `${at.getTime().toString(16)}${seriesKey(regarding, said).replaceAll(/[^a-z0-9]/g, "")}`.slice(0, 20);
  return {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: `${name.slice(0, 220)}.${suffix}`, namespace: namespace ?? "default" },
    eventTime: wireMicroTime(at),
    reportingController: reporter.controller,
    reportingInstance: reporter.instance.slice(0, LONGEST_WORD),
    action: said.action.slice(0, LONGEST_WORD),
    reason: said.reason.slice(0, LONGEST_WORD),
    type: said.type,
    note: shortened(said.note),
    regarding: {
      apiVersion: regarding.apiVersion,
      kind: regarding.kind,
      name,
      ...(namespace ? { namespace } : {}),
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
    },
  };
}

/** Cut to what the server takes, counted in bytes and never inside a character. */
function shortened(note: string): string {
  if (Buffer.byteLength(note) <= LONGEST_NOTE) return note;
  let cut = note.slice(0, LONGEST_NOTE - 3);
  while (Buffer.byteLength(cut) > LONGEST_NOTE - 3) cut = cut.slice(0, -1);
  const halfCharacter = /[\uD800-\uDBFF]$/.test(cut);
  return `${halfCharacter ? cut.slice(0, -1) : cut}…`;
}
