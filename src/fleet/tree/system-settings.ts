/** The settings object of a system: where some firmware wants the boot override written. */
import { head, hostAt, type Place, type Resource } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import { isObject, type JsonObject } from "../json.ts";
import { bootBody, writeBoot } from "./boot.ts";

export const settingsResources: readonly Resource[] = [
  { path: "/Systems/{system}/Settings", read: settingsBody, patch: patchSettings },
];

function settingsBody(at: Place): JsonObject | undefined {
  const host = hostAt(at);
  if (!host || !at.profile.boot.settingsObject) return undefined;
  return { ...head(at, "ComputerSystem", "Settings", "Pending settings"), Boot: bootBody(at, host) };
}

function patchSettings(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const host = hostAt(at);
  const { Boot: boot } = body;
  if (!host) return refuse(404, "ResourceMissingAtURI", at.path);
  if (!isObject(boot)) return refuse(400, "PropertyMissing", "Boot");
  return writeBoot(at, host, boot) ?? noContent;
}
