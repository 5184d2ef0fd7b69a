/** Bios: current attributes, the settings object with what waits for a reset, and reset to defaults. */

import type { Host } from "../host/host.ts";
import type { MessageKey } from "../http/messages.ts";
import { below, head, hostAt, type Place, type Resource } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { BiosTraits } from "../profiles/profile.ts";
import { taskReply } from "./tasks.ts";
import { written } from "./writable.ts";

/** The settings object's last segment is the vendor's, so the path is a parameter. */
export const biosResources: readonly Resource[] = [
  { path: "/Systems/{system}/Bios", read: biosBody },
  {
    path: "/Systems/{system}/Bios/{settings}",
    read: settingsBody,
    patch: writeSettings,
    put: writeSettings,
    remove: dropPending,
  },
  { path: "/Systems/{system}/Bios/Actions/Bios.ResetBios", post: resetBios },
];

const biosJob = (host: Host): string => `JID_BIOS_${host.n}`;

function biosAt(at: Place): { readonly host: Host; readonly bios: BiosTraits } | undefined {
  const host = hostAt(at);
  const { bios } = at.profile;
  if (!host || !bios) return undefined;
  const { settings } = at.params;
  return settings === undefined || settings === bios.settings ? { host, bios } : undefined;
}

function biosBody(at: Place): JsonObject | undefined {
  const found = biosAt(at);
  if (!found) return undefined;
  const { host, bios } = found;
  return {
    ...head(at, "Bios", "Bios", "BIOS Configuration"),
    AttributeRegistry: bios.registry,
    Attributes: host.settings.current(),
    "@Redfish.Settings": {
      "@odata.type": "#Settings.v1_3_5.Settings",
      SettingsObject: below(at, bios.settings),
      SupportedApplyTimes: ["OnReset"],
    },
    Actions: {
      "#Bios.ResetBios": { target: `${at.path}/Actions/Bios.ResetBios${at.profile.trailingSlash ? "/" : ""}` },
    },
  };
}

function settingsBody(at: Place): JsonObject | undefined {
  const found = biosAt(at);
  if (!found) return undefined;
  const { host, bios } = found;
  const pending = host.settings.pending();
  return {
    ...head(at, "Bios", bios.settings, "BIOS Pending Configuration"),
    AttributeRegistry: bios.registry,
    Attributes: bios.mirrorsCurrent ? { ...host.settings.current(), ...pending } : pending,
  };
}

function writeSettings(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const found = biosAt(at);
  if (!found) return refuse(404, "ResourceMissingAtURI", at.path);
  const { host, bios } = found;
  const values = body.Attributes;
  if (!isObject(values)) return refuse(400, "PropertyMissing", "Attributes");
  const apply = isObject(body["@Redfish.SettingsApplyTime"]) ? body["@Redfish.SettingsApplyTime"].ApplyTime : undefined;
  if (apply !== undefined && apply !== "OnReset")
    return refuse(400, "PropertyValueNotInList", String(apply), "ApplyTime");
  const problems = host.settings.problems(values);
  if (problems.length > 0)
    return {
      status: 400,
      sayings: problems.map(({ name, key, args }) => ({
        key: key as MessageKey,
        args,
        about: [`#/Attributes/${name}`],
      })),
    };
  if (bios.makesJob && hasOpenJob(at, host)) return refuse(400, "ResourceInUse");
  const waits = host.settings.write(values);
  if (bios.makesJob && apply !== undefined && waits) return startJob(at, host);
  return written(at);
}

function hasOpenJob(at: Place, host: Host): boolean {
  const job = at.bmc.tasks.get(biosJob(host));
  return job !== undefined && job.ended === undefined;
}

/** The job waits for the reset that applies the settings. */
function startJob(at: Place, host: Host): Reply {
  const { tasks, world } = at.bmc;
  const task = tasks.start({
    id: biosJob(host),
    name: "Configure: BIOS.Setup.1-1",
    stepMs: world.timing.postMs / 8,
    held: true,
    fate: () => (at.bmc.fault("task-stuck") ? "stick" : at.bmc.fault("task-fails") ? "fail-at-99" : "go"),
    done: () => undefined,
  });
  return taskReply(at, task);
}

function dropPending(at: Place): Reply {
  const found = biosAt(at);
  if (!found) return refuse(404, "ResourceMissingAtURI", at.path);
  found.host.settings.dropPending();
  at.bmc.tasks.cancel(biosJob(found.host));
  return noContent;
}

function resetBios(at: Place): Reply {
  const found = biosAt(at);
  if (!found) return refuse(404, "ResourceMissingAtURI", at.path);
  found.host.settings.resetToDefaults();
  return at.profile.power.status === 204 ? noContent : { status: 200, sayings: [{ key: "Success" }] };
}
