/**
 * The guards of the lanes, proven by taking each out once: the same scenario that holds with the guard must fail without.
 */
import { describe, expect, it } from "vitest";
import type { Breaking, Debouncing, LanesOptions, ReadSharing } from "#hardware";
import { cleanUpAfterEach, fleetOf, hold, lanesOf, nth, systems, until } from "./fixture.ts";
import { hardwareOf, powerOf } from "./watched.ts";

cleanUpAfterEach();

const noBreaker: Breaking = {
  state: "closed",
  admit: () => 0,
  pause: () => 0,
  report: () => undefined,
  hold: () => undefined,
};
const noSharing: ReadSharing = { share: (_, read) => read(), changed: () => undefined };
const noDebounce: Debouncing = { observe: (state) => state };

/** Requests that reach a BMC which resets every connection, out of 12 that are asked for. */
async function requestsToADeadBmc(guards?: LanesOptions["guards"]): Promise<number> {
  const fleet = await fleetOf();
  const { bmc, inside } = nth(fleet, 0);
  fleet.control.inject({ kind: "connection-reset" });
  const handle = hold(lanesOf(guards ? { guards } : {}), bmc);
  for (let i = 0; i < 12; i++) await handle.send({ ...systems, path: `/redfish/v1/Systems?${i}` });
  return inside.traffic.requests;
}

/** Requests for one resource that reach a slow BMC when eight ask for it at the same time. */
async function requestsForTheSame(guards?: LanesOptions["guards"]): Promise<number> {
  const fleet = await fleetOf({ latency: 20 });
  const { bmc, inside } = nth(fleet, 0);
  const handle = hold(lanesOf(guards ? { guards } : {}), bmc);
  await handle.send(systems);
  const before = inside.traffic.requests;
  const answers = await Promise.all(Array.from({ length: 8 }, () => handle.send(systems)));
  expect(answers.every(({ ok }) => ok)).toBe(true);
  return inside.traffic.requests - before;
}

/** Requests that leave after the lease is over, of those that were queued before. */
async function requestsAfterTheFence(fenced: boolean): Promise<number> {
  const fleet = await fleetOf({ latency: 30 });
  const { bmc, inside } = nth(fleet, 0);
  let over = false;
  const fence = (): void => {
    if (over) throw new Error("the lease is over");
  };
  const handle = hold(lanesOf(fenced ? { fence } : {}), bmc);
  await handle.send(systems);
  const asked = Array.from({ length: 5 }, (_, i) => handle.send({ ...systems, path: `/redfish/v1/Systems?${i}` }));
  await asked[0];
  over = true;
  const sent = inside.traffic.requests;
  await Promise.all(asked);
  // One may have been on its way when the fence closed.
  return Math.max(0, inside.traffic.requests - sent - 1);
}

/** Power states that listeners were told when the BMC showed another one for a moment. */
async function statesToldOfAMoment(debounce?: () => Debouncing): Promise<readonly (string | undefined)[]> {
  const fleet = await fleetOf();
  const { bmc } = nth(fleet, 0);
  const { attach } = hardwareOf(lanesOf(), debounce ? { debounce } : {});
  const attached = attach(bmc);
  await until(() => attached.snapshot.servers[0]?.power?.value === "Off", "power off");
  const server = attached.snapshot.servers[0]?.id ?? "";
  const told: (string | undefined)[] = [];
  attached.subscribe(({ parts }) => parts.includes("power") && told.push(powerOf(attached, server)));
  const lie = fleet.control.inject({ kind: "lying-power", state: "On" });
  await attached.refresh(server);
  fleet.control.clear(lie.id);
  await attached.refresh(server);
  await attached.refresh(server);
  return told;
}

describe("guards of the lanes", () => {
  it("breaker: a dead BMC is left alone", async () => {
    expect(await requestsToADeadBmc()).toBeLessThanOrEqual(4);
    expect(await requestsToADeadBmc(() => ({ breaker: noBreaker })), "without the breaker").toBeGreaterThan(4);
  });

  it("single flight: equal reads are one", async () => {
    expect(await requestsForTheSame()).toBe(1);
    expect(await requestsForTheSame(() => ({ reads: noSharing })), "without sharing").toBe(8);
  });

  it("fence: nothing leaves after the lease", async () => {
    expect(await requestsAfterTheFence(true)).toBe(0);
    expect(await requestsAfterTheFence(false), "without the fence").toBeGreaterThan(0);
  });

  it("debounce: a moment is not a state", async () => {
    expect(await statesToldOfAMoment()).toEqual([]);
    expect(await statesToldOfAMoment(() => noDebounce), "without the debounce").toEqual(["On", "Off"]);
  });
});
