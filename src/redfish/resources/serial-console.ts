/** How a person gets to the serial console of a machine. Pure: looks at a system and its manager as they were read. */
import { type Json, readBoolean, readNumber, readRecord, readString, reported } from "../protocol/read.ts";
import { consoleOf } from "./manager.ts";

export interface SerialConsole {
  readonly protocol: "SSH" | "Telnet" | "IPMI";
  readonly port?: number;
  /** What to type to leave it, or to get to it after logging in. */
  readonly hotKey?: string;
  readonly command?: string;
  /** Whether the login lands in a shell of the BMC rather than on the console itself. */
  readonly sharedWithCommandShell?: boolean;
}

const protocols = ["SSH", "Telnet", "IPMI"] as const;

/** The ways that are switched on, the system's own description before the manager's older one. */
export function serialConsoles(system: Json, manager: Json | undefined): readonly SerialConsole[] {
  const described = readRecord(system, "SerialConsole");
  const own = protocols.flatMap((protocol) => consoleBy(protocol, readRecord(described, protocol)));
  if (own.length > 0) return own;
  const legacy = manager && consoleOf(manager, "SerialConsole");
  if (!legacy || legacy.enabled === false) return [];
  return protocols.filter((protocol) => legacy.types.includes(protocol)).map((protocol) => ({ protocol }));
}

function consoleBy(protocol: SerialConsole["protocol"], entry: Json | undefined): SerialConsole[] {
  if (!entry || readBoolean(entry, "ServiceEnabled") !== true) return [];
  return [
    {
      protocol,
      ...reported({
        port: readNumber(entry, "Port"),
        hotKey: readString(entry, "HotKeySequenceDisplay"),
        command: readString(entry, "ConsoleEntryCommand"),
        sharedWithCommandShell: readBoolean(entry, "SharedWithManagerCLI"),
      }),
    },
  ];
}
