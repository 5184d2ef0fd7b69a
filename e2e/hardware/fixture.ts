/** For tests of the lanes: a small fleet, lanes to it, and their end, in the right order. */
import { afterEach } from "vitest";
import { seededRandom, systemClock } from "#clock";
import { type Fleet, type FleetOptions, type SimulatedBmc, startFleet } from "#fleet";
import { type LaneHandle, type LaneRequest, Lanes, type LanesOptions } from "#hardware";
import { bmcAddress } from "#redfish";

const cleanUps: (() => Promise<void>)[] = [];

/** Call once per test file. */
export function cleanUpAfterEach(): void {
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
}

export function atTheEnd(cleanUp: () => Promise<void>): void {
  cleanUps.push(cleanUp);
}

export async function fleetOf(options: Partial<FleetOptions> = {}): Promise<Fleet> {
  const fleet = await startFleet({ servers: 1, systemsPerBmc: 1, profile: "dell-idrac9", seed: 5, ...options });
  atTheEnd(() => fleet.close());
  return fleet;
}

export function lanesOf(options: Partial<LanesOptions> = {}): Lanes {
  const lanes = new Lanes({ clock: systemClock, random: seededRandom(1), ...options });
  atTheEnd(() => lanes.close());
  return lanes;
}

export function nth(fleet: Fleet, index: number): { bmc: SimulatedBmc; inside: Fleet["control"]["bmcs"][number] } {
  const bmc = fleet.bmcs[index];
  const inside = fleet.control.bmcs[index];
  if (!bmc || !inside) throw new RangeError(`the fleet has no BMC ${index}`);
  return { bmc, inside };
}

export function laneRequest(bmc: SimulatedBmc, more: Partial<LaneRequest> = {}): LaneRequest {
  return {
    holder: `BMC/${bmc.index}`,
    address: bmcAddress("http", bmc.host, bmc.port),
    credentials: { username: bmc.username, password: () => bmc.password },
    ...more,
  };
}

export function hold(lanes: Lanes, bmc: SimulatedBmc, more: Partial<LaneRequest> = {}): LaneHandle {
  return lanes.acquire(laneRequest(bmc, more));
}

export const systems = { method: "GET", path: "/redfish/v1/Systems" } as const;

/** Waits until something is so; a deadline instead of a sleep. */
export async function until(isSo: () => boolean, what: string, withinMs = 10_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
