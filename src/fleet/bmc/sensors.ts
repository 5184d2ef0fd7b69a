/** What a BMC's sensors read: drawn from the seed and the time, so that they move and nothing is stored. */
import { draw } from "../seed.ts";
import type { Bmc } from "./bmc.ts";

export const fanCount = 6;
export const temperatures = ["Inlet Temp", "CPU1 Temp", "CPU2 Temp", "Exhaust Temp"] as const;
const DRIFT_MS = 10_000;

export interface SensorPart {
  readonly id: string;
  readonly name: string;
  readonly type: "Temperature" | "Rotational" | "Power";
  readonly units: string;
  readonly reading: number;
}

/** Readings drift every ten seconds, the same way for the same seed. */
function reading(bmc: Bmc, name: string, [low, high]: readonly [number, number]): number {
  const slot = Math.floor(bmc.world.clock.monotonic() / DRIFT_MS);
  return low + (draw(bmc.world.seed, bmc.index, name, slot) % (high - low));
}

export function temperature(bmc: Bmc, name: string): number {
  return reading(bmc, name, name.startsWith("CPU") ? [42, 58] : [20, 31]);
}

export function fanSpeed(bmc: Bmc, fan: number): number {
  return fan === 1 && bmc.fault("fan-failing") ? 0 : reading(bmc, `fan${fan}`, [5_800, 7_200]);
}

export function watts(bmc: Bmc): number {
  const running = bmc.hosts.filter(({ power }) => power === "On").length;
  return running * reading(bmc, "watts", [310, 390]) + 12;
}

export function sensorsOf(bmc: Bmc): readonly SensorPart[] {
  const fans = Array.from({ length: fanCount }, (_, at) => at + 1);
  return [
    ...temperatures.map((name): SensorPart => {
      return { id: name.replaceAll(" ", ""), name, type: "Temperature", units: "Cel", reading: temperature(bmc, name) };
    }),
    ...fans.map((n): SensorPart => {
      return { id: `Fan${n}`, name: `Fan ${n}`, type: "Rotational", units: "RPM", reading: fanSpeed(bmc, n) };
    }),
    { id: "TotalPower", name: "Total Power", type: "Power", units: "W", reading: watts(bmc) },
  ];
}
