/** Health as faults make it: of a part, and rolled up to what holds it. */
import type { Bmc } from "../bmc/bmc.ts";
import type { JsonObject } from "../json.ts";

export function driveHealth(bmc: Bmc, drive: number): JsonObject {
  const failing = bmc.fault("disk-failing");
  const isFailing = failing !== undefined && (failing.drive ?? 1) === drive;
  return { State: "Enabled", Health: isFailing ? "Warning" : "OK" };
}

export function fanHealth(bmc: Bmc, fan: number): JsonObject {
  return { State: "Enabled", Health: fan === 1 && bmc.fault("fan-failing") ? "Critical" : "OK" };
}

/** A system's own health and that of everything in it. */
export function systemHealth(bmc: Bmc, state: string): JsonObject {
  const rollup = bmc.fault("fan-failing") ? "Critical" : bmc.fault("disk-failing") ? "Warning" : "OK";
  return { State: state, Health: rollup, HealthRollup: rollup };
}
