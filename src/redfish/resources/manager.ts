/** The manager: the BMC as a resource of itself. */
import {
  type Json,
  readLink,
  readLinks,
  readNumber,
  readRecord,
  readString,
  readStrings,
  reported,
} from "../protocol/read.ts";
import type { Resource } from "../protocol/service.ts";
import { type Status, statusOf } from "./status.ts";

export interface Console {
  readonly enabled?: boolean;
  readonly maxSessions?: number;
  readonly types: readonly string[];
}

export interface Manager {
  readonly path: string;
  readonly id?: string;
  readonly uuid?: string;
  readonly managerType?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly firmwareVersion?: string;
  readonly powerState?: string;
  readonly dateTime?: string;
  readonly lastResetTime?: string;
  readonly status: Status;
  readonly graphicalConsole?: Console;
  readonly serialConsole?: Console;
  readonly commandShell?: Console;
  readonly links: {
    readonly ethernetInterfaces?: string;
    readonly networkProtocol?: string;
    readonly logServices?: string;
    readonly virtualMedia?: string;
    readonly systems: readonly string[];
    readonly chassis: readonly string[];
    /** Dell's attribute resources. */
    readonly dellAttributes: readonly string[];
  };
}

export function managerOf({ path, body }: Resource): Manager {
  const links = readRecord(body, "Links");
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      uuid: readString(body, "UUID")?.toLowerCase(),
      managerType: readString(body, "ManagerType"),
      manufacturer: readString(body, "Manufacturer"),
      model: readString(body, "Model"),
      serialNumber: readString(body, "SerialNumber"),
      firmwareVersion: readString(body, "FirmwareVersion"),
      powerState: readString(body, "PowerState"),
      dateTime: readString(body, "DateTime"),
      lastResetTime: readString(body, "LastResetTime"),
      graphicalConsole: consoleOf(body, "GraphicalConsole"),
      serialConsole: consoleOf(body, "SerialConsole"),
      commandShell: consoleOf(body, "CommandShell"),
    }),
    status: statusOf(body),
    links: {
      ...reported({
        ethernetInterfaces: readLink(body, "EthernetInterfaces"),
        networkProtocol: readLink(body, "NetworkProtocol"),
        logServices: readLink(body, "LogServices"),
        virtualMedia: readLink(body, "VirtualMedia"),
      }),
      systems: readLinks(links, "ManagerForServers"),
      chassis: readLinks(links, "ManagerForChassis"),
      dellAttributes: readLinks(readRecord(readRecord(links, "Oem"), "Dell"), "DellAttributes"),
    },
  };
}

export function consoleOf(body: Json, name: string): Console | undefined {
  const console = readRecord(body, name);
  if (!console) return undefined;
  const { ServiceEnabled: enabled } = console;
  return {
    ...reported({
      enabled: typeof enabled === "boolean" ? enabled : undefined,
      maxSessions: readNumber(console, "MaxConcurrentSessions"),
    }),
    types: readStrings(console, "ConnectTypesSupported"),
  };
}

/**
 * The manager that speaks for the BMC: the one with this UUID; without one, the first that offers a graphical console,
 * else simply the first. By address, so that the answer does not depend on the order of a collection.
 */
export function chooseManager(managers: readonly Manager[], uuid?: string): Manager | undefined {
  if (uuid !== undefined) return managers.find((manager) => manager.uuid === uuid.toLowerCase());
  const byPath = [...managers].sort((a, b) => (a.path < b.path ? -1 : 1));
  return byPath.find(hasGraphicalConsole) ?? byPath[0];
}

function hasGraphicalConsole({ graphicalConsole }: Manager): boolean {
  return (graphicalConsole?.maxSessions ?? 0) !== 0 || (graphicalConsole?.types.length ?? 0) > 0;
}
