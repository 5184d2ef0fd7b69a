/** Reads what `ipmitool` prints. Unknown lines are left out: its output differs from version to version. */
import type { PowerState, Severity } from "#redfish";
import type { Sensor } from "../driver/driver.ts";

/** "Chassis Power is on". */
export function powerIn(output: string): PowerState | undefined {
  const word = /Chassis Power is (on|off)/i.exec(output)?.[1]?.toLowerCase();
  return word === "on" ? "On" : word === "off" ? "Off" : undefined;
}

/** `Key   : value` lines; a key that comes again keeps its first value. */
export function fieldsIn(output: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const line of output.split("\n")) {
    const [, key, value] = /^\s*([^:\s][^:]*?)\s*:\s*(.+?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined && !(key in fields)) fields[key] = value;
  }
  return fields;
}

const healths: Readonly<Record<string, Severity>> = { ok: "OK", nc: "Warning", cr: "Critical", nr: "Critical" };

/** The lines of `ipmitool -c sdr list`: name,value,unit,status. */
export function sensorsIn(output: string): readonly Sensor[] {
  return output.split("\n").flatMap((line) => {
    const [name, value, unit, status] = line.split(",").map((cell) => cell.trim());
    if (!name || status === undefined || status === "ns") return [];
    const number = value === undefined || value === "" ? Number.NaN : Number(value);
    const health = healths[status];
    return [
      {
        name,
        ...(Number.isFinite(number) ? { value: number } : {}),
        ...(unit ? { unit } : {}),
        ...(health ? { health } : {}),
      },
    ];
  });
}

export interface IpmiBoot {
  readonly target: string;
  readonly lasts: "Once" | "Continuous";
  /** Whether the BMC says that it will do so; some never say it and do it all the same. */
  readonly armed: boolean;
}

const devices: readonly (readonly [RegExp, string])[] = [
  [/No override/i, "None"],
  [/PXE/i, "Pxe"],
  [/Hard-Drive/i, "Hdd"],
  [/CD\/?DVD/i, "Cd"],
  [/BIOS setup/i, "BiosSetup"],
];

/** What `chassis bootparam get 5` says the next start is from. */
export function bootIn(output: string): IpmiBoot | undefined {
  const device = /Boot Device Selector\s*:\s*(.+)/i.exec(output)?.[1];
  if (device === undefined) return undefined;
  const target = devices.find(([pattern]) => pattern.test(device))?.[1];
  if (target === undefined) return undefined;
  return {
    target,
    lasts: /all future boots/i.test(output) ? "Continuous" : "Once",
    armed: target !== "None" && /Boot Flag Valid/i.test(output),
  };
}
