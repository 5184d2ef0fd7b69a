/** For suites: one fast simulated BMC of a profile with a client that knows its vendor, ended by `close`. */
import { expect, vi } from "vitest";
import { type Fleet, type FleetOptions, type ProfileName, type SimulatedBmc, startFleet } from "#fleet";
import type { Introduction, Outcome, RedfishService, Resource, System } from "#redfish";
import { type CountedClient, introduced } from "./counted-client.ts";

export interface Rig {
  readonly fleet: Fleet;
  readonly bmc: SimulatedBmc;
  readonly client: CountedClient;
  readonly service: RedfishService;
  readonly introduction: Introduction;
  readonly system: System;
  /** The system as it is now. */
  readSystem(): Promise<Resource>;
  readManager(): Promise<Resource>;
  close(): Promise<void>;
}

export async function rigOf(profile: ProfileName, more: Partial<FleetOptions> = {}): Promise<Rig> {
  const fleet = await startFleet({ servers: 1, profile, seed: 11, addressing: "port", speed: 500, ...more });
  const [bmc] = fleet.bmcs;
  if (!bmc) throw new Error("the fleet has no BMC");
  const { client, service, introduction } = await introduced(bmc);
  const [system] = introduction.systems;
  const [manager] = introduction.managers;
  if (!system || !manager) throw new Error(`${profile} shows no system or no manager`);
  return {
    fleet,
    bmc,
    client,
    service,
    introduction,
    system,
    readSystem: async () => got(await service.get(system.path)),
    readManager: async () => got(await service.get(manager.path)),
    async close() {
      await client.close();
      await fleet.close();
    },
  };
}

/** The value, or the failure's sentence as the test's. */
export function got<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
  return outcome.value;
}

/** Waits until what is asked for again and again is as expected. */
export function eventually(check: () => Promise<void> | void): Promise<void> {
  return vi.waitFor(check, { timeout: 8_000, interval: 20 });
}

export async function powerBecomes(rig: Rig, state: "On" | "Off"): Promise<void> {
  await eventually(async () => expect((await rig.readSystem()).body.PowerState).toBe(state));
}
