/** Systems: what a machine says of itself, its boot override, and the reset action. */

import { bootOptions } from "../host/boot-settings.ts";
import type { Host } from "../host/host.ts";
import { cpusOf, memoryGibOf } from "../host/parts.ts";
import { below, collection, head, hostAt, type Place, type Resource, ref, self, typed } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import type { JsonObject } from "../json.ts";
import { since } from "../profiles/profile.ts";
import { bootBody, writeBoot } from "./boot.ts";
import { systemHealth } from "./health.ts";
import { problemsOf, remember, type Writable, written } from "./writable.ts";

export const systemResources: readonly Resource[] = [
  collection("/Systems", { type: "ComputerSystemCollection", name: "Computer System Collection" }, ({ bmc }) =>
    bmc.hosts.map(({ id }) => id),
  ),
  { path: "/Systems/{system}", read: systemBody, patch: patchSystem },
  { path: "/Systems/{system}/Actions/ComputerSystem.Reset", post: resetSystem },
  { path: "/Systems/{system}/ResetActionInfo", read: resetActionInfo },
  collection(
    "/Systems/{system}/BootOptions",
    { type: "BootOptionCollection", name: "Boot Option Collection" },
    (at) => hostAt(at) && bootOptions.map(({ id }) => id),
  ),
  { path: "/Systems/{system}/BootOptions/{option}", read: bootOptionBody },
  { path: "/Systems/{system}/SecureBoot", read: secureBootBody, patch: patchSecureBoot },
];

function systemBody(at: Place): JsonObject | undefined {
  const host = hostAt(at);
  if (!host) return undefined;
  const { profile } = at;
  const at13 = since(profile, "ComputerSystem", 13);
  const processors = cpusOf(at.bmc);
  return {
    "@odata.id": self(at),
    "@odata.type": typed(at, "ComputerSystem"),
    Id: host.id,
    Name: "System",
    SystemType: "Physical",
    Manufacturer: profile.manufacturer,
    Model: host.model,
    SKU: host.serial,
    SerialNumber: host.serial,
    PartNumber: `P${at.bmc.draw("part") % 100_000}`,
    UUID: host.uuid,
    AssetTag: "",
    HostName: host.phase === "os" ? `host-${host.serial.toLowerCase()}` : "",
    PowerState: host.reportedPower,
    BiosVersion: host.biosVersion,
    Status: systemHealth(at.bmc, host.reportedPower === "On" ? "Enabled" : "Disabled"),
    IndicatorLED: profile.indicator === "location" ? undefined : "Off",
    LocationIndicatorActive: profile.indicator !== "led" && at13 ? false : undefined,
    LastResetTime: since(profile, "ComputerSystem", 12) ? host.lastReset?.toISOString() : undefined,
    BootProgress: at13 ? { LastState: bootProgress(host) } : undefined,
    Boot: bootBody(at, host),
    ProcessorSummary: {
      Count: processors.length,
      Model: processors[0]?.model,
      Status: { Health: "OK", State: "Enabled" },
    },
    MemorySummary: {
      TotalSystemMemoryGiB: memoryGibOf(at.bmc),
      Status: { Health: "OK", State: "Enabled" },
    },
    TrustedModules: [
      { FirmwareVersion: "7.2.2.0", InterfaceType: "TPM2_0", Status: { State: "Enabled", Health: "OK" } },
    ],
    SerialConsole: at13 ? { MaxConcurrentSessions: 1, SSH: { ServiceEnabled: true, Port: 22 } } : undefined,
    Processors: below(at, "Processors"),
    Memory: below(at, "Memory"),
    EthernetInterfaces: below(at, "EthernetInterfaces"),
    Storage: below(at, "Storage"),
    SimpleStorage: below(at, "SimpleStorage"),
    SecureBoot: below(at, "SecureBoot"),
    Bios: profile.bios ? below(at, "Bios") : undefined,
    LogServices: below(at, "LogServices"),
    VirtualMedia:
      profile.virtualMedia.under === "system" && since(profile, "ComputerSystem", 13)
        ? below(at, "VirtualMedia")
        : undefined,
    Links: {
      Chassis: [ref(at, "Chassis", profile.names.chassis(host.n, at.bmc.hosts.length))],
      ManagedBy: [ref(at, "Managers", profile.names.manager)],
    },
    Actions: { "#ComputerSystem.Reset": resetAction(at) },
    "@Redfish.Settings": profile.boot.settingsObject ? settingsOf(at) : undefined,
    Oem: profile.oem.ComputerSystem,
  };
}

function settingsOf(at: Place): JsonObject {
  return {
    "@odata.type": "#Settings.v1_3_5.Settings",
    SettingsObject: below(at, "Settings"),
    SupportedApplyTimes: ["OnReset"],
  };
}

function resetAction(at: Place): JsonObject {
  const { power } = at.profile;
  return {
    target: `${at.path}/Actions/ComputerSystem.Reset${at.profile.trailingSlash ? "/" : ""}`,
    "ResetType@Redfish.AllowableValues": power.listsValues ? power.resetTypes : undefined,
    "@Redfish.ActionInfo": below(at, "ResetActionInfo")["@odata.id"],
  };
}

function bootProgress({ phase }: Host): string {
  const words = { os: "OSRunning", probe: "OSRunning", wipe: "OSRunning", booting: "OSBootStarted", off: "None" };
  return (words as Record<string, string>)[phase] ?? "SystemHardwareInitializationComplete";
}

function systemWritables({ profile }: Place): Writable {
  return {
    AssetTag: true,
    ...(profile.indicator === "location" ? {} : { IndicatorLED: ["Lit", "Blinking", "Off"] }),
    ...(profile.indicator === "led" ? {} : { LocationIndicatorActive: true as const }),
    Boot: true,
  };
}

function patchSystem(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const host = hostAt(at);
  if (!host) return refuse(404, "ResourceMissingAtURI", at.path);
  const { Boot: boot, ...rest } = body;
  const wrong = problemsOf(body, systemBody(at) ?? {}, systemWritables(at));
  if (wrong.length > 0) return { status: 400, sayings: wrong };
  if (boot !== undefined) {
    const refused = writeBoot(at, host, boot as JsonObject);
    if (refused) return refused;
  }
  if (Object.keys(rest).length > 0) remember(at, rest, systemBody(at) ?? {});
  return written(at);
}

function resetSystem(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const host = hostAt(at);
  if (!host) return refuse(404, "ResourceMissingAtURI", at.path);
  const type = body.ResetType;
  const { power } = at.profile;
  if (type === undefined) return refuse(400, "ActionParameterMissing", "ComputerSystem.Reset", "ResetType");
  if (typeof type !== "string" || !power.resetTypes.includes(type))
    return refuse(400, "ActionParameterValueNotInList", String(type), "ResetType", "ComputerSystem.Reset");
  const outcome = host.reset(type);
  if (outcome === "same-state" && power.refusesSameState) return refuse(409, "ResourceInUse");
  if (power.status === 204) return noContent;
  return { status: power.status, sayings: [{ key: "Success" }] };
}

function resetActionInfo(at: Place): JsonObject | undefined {
  if (!hostAt(at)) return undefined;
  return {
    ...head(at, "ActionInfo", "ResetActionInfo", "Reset Action Info"),
    Parameters: [
      { Name: "ResetType", Required: true, DataType: "String", AllowableValues: at.profile.power.resetTypes },
    ],
  };
}

function bootOptionBody(at: Place): JsonObject | undefined {
  const option = bootOptions.find(({ id }) => id === at.params.option);
  if (!hostAt(at) || !option) return undefined;
  return {
    ...head(at, "BootOption", option.id, option.name),
    BootOptionReference: option.id,
    DisplayName: option.name,
    Alias: option.alias,
    BootOptionEnabled: true,
  };
}

function secureBootBody(at: Place): JsonObject | undefined {
  if (!hostAt(at)) return undefined;
  return {
    ...head(at, "SecureBoot", "SecureBoot", "UEFI Secure Boot"),
    SecureBootEnable: false,
    SecureBootCurrentBoot: "Disabled",
    SecureBootMode: "UserMode",
  };
}

function patchSecureBoot(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const wrong = problemsOf(body, secureBootBody(at) ?? {}, { SecureBootEnable: true });
  if (wrong.length > 0) return { status: 400, sayings: wrong };
  remember(at, body, {});
  return noContent;
}
