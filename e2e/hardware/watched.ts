/** For tests: the hardware of a fleet as controllers see it, with its audit trail in memory. */
import { seededRandom, systemClock } from "#clock";
import type { SimulatedBmc } from "#fleet";
import {
  type AttachedBmc,
  AuditLog,
  Hardware,
  type HardwareOptions,
  type LaneRequest,
  type Lanes,
  serverIn,
} from "#hardware";
import type { PowerState } from "#redfish";
import { atTheEnd, laneRequest, lanesOf } from "./fixture.ts";

export function hardwareOf(lanes: Lanes = lanesOf(), more: Partial<HardwareOptions> = {}) {
  const lines: string[] = [];
  const sink = { append: async (line: string) => void lines.push(line), close: async () => undefined };
  const audit = new AuditLog({ clock: systemClock, sink });
  const hardware = new Hardware({ clock: systemClock, random: seededRandom(1), lanes, audit, ...more });
  atTheEnd(() => hardware.close());
  const attach = (bmc: SimulatedBmc, request: Partial<LaneRequest> = {}): AttachedBmc =>
    hardware.attach(laneRequest(bmc, request));
  return { hardware, attach, lines };
}

export function powerOf(bmc: AttachedBmc, server: string): PowerState | undefined {
  return serverIn(bmc.snapshot, server)?.power?.value;
}

export const asked = {
  by: "controller/server",
  why: "a test wants it",
  object: { kind: "Server", name: "s" },
} as const;
