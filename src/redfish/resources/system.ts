/** A computer system: identity, power, boot and where its parts are. Decodes; parts have files of their own. */
import {
  type Json,
  readBoolean,
  readLink,
  readLinks,
  readNumber,
  readRecord,
  readRecords,
  readString,
  reported,
} from "../protocol/read.ts";
import type { Resource } from "../protocol/service.ts";
import { type BootSettings, bootSettingsOf } from "./boot-settings.ts";
import { type Status, statusOf } from "./status.ts";

export type PowerState = "On" | "Off" | "PoweringOn" | "PoweringOff" | "Paused";

export interface TrustedModule {
  readonly interfaceType?: string;
  readonly firmwareVersion?: string;
  readonly status: Status;
}

export interface SystemLinks {
  readonly processors?: string;
  readonly memory?: string;
  readonly ethernetInterfaces?: string;
  readonly storage?: string;
  readonly simpleStorage?: string;
  readonly bios?: string;
  readonly secureBoot?: string;
  readonly logServices?: string;
  readonly virtualMedia?: string;
  readonly chassis: readonly string[];
  readonly managers: readonly string[];
}

export interface System {
  readonly path: string;
  readonly id?: string;
  readonly name?: string;
  /** Lower case. */
  readonly uuid?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly sku?: string;
  readonly partNumber?: string;
  readonly assetTag?: string;
  readonly hostName?: string;
  readonly systemType?: string;
  readonly powerState?: PowerState;
  readonly biosVersion?: string;
  readonly lastResetTime?: string;
  /** How far the machine came in starting: OSRunning and its like. */
  readonly bootProgress?: string;
  readonly memoryGib?: number;
  readonly processorCount?: number;
  readonly indicator?: { readonly led?: string; readonly active?: boolean };
  readonly status: Status;
  readonly boot: BootSettings;
  readonly trustedModules: readonly TrustedModule[];
  readonly links: SystemLinks;
}

const powerStates: readonly string[] = ["On", "Off", "PoweringOn", "PoweringOff", "Paused"];

export function powerStateOf(body: unknown): PowerState | undefined {
  const word = readString(body, "PowerState");
  return word !== undefined && powerStates.includes(word) ? (word as PowerState) : undefined;
}

export function systemOf({ path, body }: Resource): System {
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      name: readString(body, "Name"),
      uuid: readString(body, "UUID")?.toLowerCase(),
      manufacturer: readString(body, "Manufacturer"),
      model: readString(body, "Model"),
      serialNumber: readString(body, "SerialNumber"),
      sku: readString(body, "SKU"),
      partNumber: readString(body, "PartNumber"),
      assetTag: readString(body, "AssetTag"),
      hostName: readString(body, "HostName"),
      systemType: readString(body, "SystemType"),
      powerState: powerStateOf(body),
      biosVersion: readString(body, "BiosVersion"),
      lastResetTime: readString(body, "LastResetTime"),
      bootProgress: readString(readRecord(body, "BootProgress"), "LastState"),
      memoryGib: readNumber(readRecord(body, "MemorySummary"), "TotalSystemMemoryGiB"),
      processorCount: readNumber(readRecord(body, "ProcessorSummary"), "Count"),
      indicator: indicatorOf(body),
    }),
    status: statusOf(body),
    boot: bootSettingsOf(body),
    trustedModules: readRecords(body, "TrustedModules").map(trustedModuleOf),
    links: linksOf(body),
  };
}

/** What a system says of its indicator light; undefined when it has none. */
export function indicatorOf(body: Json): System["indicator"] {
  const led = readString(body, "IndicatorLED");
  const active = readBoolean(body, "LocationIndicatorActive");
  return led === undefined && active === undefined ? undefined : reported({ led, active });
}

function trustedModuleOf(entry: Json): TrustedModule {
  return {
    ...reported({
      interfaceType: readString(entry, "InterfaceType"),
      firmwareVersion: readString(entry, "FirmwareVersion"),
    }),
    status: statusOf(entry),
  };
}

function linksOf(body: Json): SystemLinks {
  const links = readRecord(body, "Links");
  return {
    ...reported({
      processors: readLink(body, "Processors"),
      memory: readLink(body, "Memory"),
      ethernetInterfaces: readLink(body, "EthernetInterfaces"),
      storage: readLink(body, "Storage"),
      simpleStorage: readLink(body, "SimpleStorage"),
      bios: readLink(body, "Bios"),
      secureBoot: readLink(body, "SecureBoot"),
      logServices: readLink(body, "LogServices"),
      virtualMedia: readLink(body, "VirtualMedia"),
    }),
    chassis: readLinks(links, "Chassis"),
    managers: readLinks(links, "ManagedBy"),
  };
}
