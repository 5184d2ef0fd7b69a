/** What the control API shows of the fleet and of the machines behind the BMCs. */
import type { Fleet } from "../fleet.ts";
import type { Host } from "../host/host.ts";
import { driveCount } from "../host/parts.ts";

export interface MachineView {
  readonly uuid: string;
  readonly power: string;
  readonly phase: string;
  readonly boots: number;
  readonly biosVersion: string;
  readonly disks: Readonly<Record<string, string>>;
  readonly story: readonly string[];
}

export function machineView(host: Host): MachineView {
  const written = Array.from({ length: driveCount }, (_, at) => at + 1).flatMap((n) => {
    const content = host.disks.read(n);
    return content ? [[String(n), content.bytes] as const] : [];
  });
  return {
    uuid: host.uuid,
    power: host.power,
    phase: host.phase,
    boots: host.boots,
    biosVersion: host.biosVersion,
    disks: Object.fromEntries(written),
    story: host.story,
  };
}

export interface FleetSummary {
  readonly bmcs: number;
  readonly machines: number;
  readonly powered: number;
  readonly openSessions: number;
  readonly faults: number;
  readonly profiles: Readonly<Record<string, number>>;
}

export function summaryOf({ control }: Fleet): FleetSummary {
  const profiles: Record<string, number> = {};
  for (const { profile } of control.bmcs) profiles[profile.name] = (profiles[profile.name] ?? 0) + 1;
  const hosts = control.bmcs.flatMap((bmc) => bmc.hosts);
  return {
    bmcs: control.bmcs.length,
    machines: hosts.length,
    powered: hosts.filter(({ power }) => power === "On").length,
    openSessions: control.bmcs.reduce((sum, { openSessions }) => sum + openSessions, 0),
    faults: control.list().length,
    profiles,
  };
}
