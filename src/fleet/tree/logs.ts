/** Log services of systems and managers: both show the BMC's event log. */
import type { LogRecord } from "../bmc/log.ts";
import { below, collection, head, hostAt, type Place, type Resource } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import type { JsonObject } from "../json.ts";

const bases = ["/Systems/{system}/LogServices", "/Managers/{manager}/LogServices"];

export const logResources: readonly Resource[] = bases.flatMap((base) => [
  collection(base, { type: "LogServiceCollection", name: "Log Services" }, (at) => (isHere(at) ? ["SEL"] : undefined)),
  { path: `${base}/SEL`, read: serviceBody },
  { path: `${base}/SEL/Actions/LogService.ClearLog`, post: clear },
  collection(`${base}/SEL/Entries`, { type: "LogEntryCollection", name: "Log Entries" }, (at) =>
    isHere(at) ? recordsAt(at).map(({ id }) => id) : undefined,
  ),
  { path: `${base}/SEL/Entries/{entry}`, read: entryBody },
]);

function isHere(at: Place): boolean {
  return at.params.system === undefined ? at.params.manager === at.profile.names.manager : hostAt(at) !== undefined;
}

/** A system shows what concerns it, the manager shows everything. */
function recordsAt(at: Place): readonly LogRecord[] {
  const host = hostAt(at);
  return host ? at.bmc.log.list().filter(({ origin }) => origin === host.path) : at.bmc.log.list();
}

function serviceBody(at: Place): JsonObject | undefined {
  if (!isHere(at)) return undefined;
  return {
    ...head(at, "LogService", "SEL", "System Event Log"),
    LogEntryType: "SEL",
    OverWritePolicy: "WrapsWhenFull",
    MaxNumberOfRecords: 64,
    ServiceEnabled: true,
    Entries: below(at, "Entries"),
    Actions: {
      "#LogService.ClearLog": {
        target: `${at.path}/Actions/LogService.ClearLog${at.profile.trailingSlash ? "/" : ""}`,
      },
    },
    Status: { State: "Enabled", Health: "OK" },
  };
}

function entryBody(at: Place): JsonObject | undefined {
  const record = isHere(at) ? recordsAt(at).find(({ id }) => id === at.params.entry) : undefined;
  if (!record) return undefined;
  return {
    ...head(at, "LogEntry", record.id, `Log entry ${record.id}`),
    EntryType: "SEL",
    Created: record.created.toISOString(),
    Severity: record.severity,
    Message: record.message,
    MessageId: record.messageId,
    MessageArgs: [...record.args],
  };
}

function clear(at: Place): Reply {
  if (!isHere(at)) return refuse(404, "ResourceMissingAtURI", at.path);
  at.bmc.log.clear();
  return noContent;
}
