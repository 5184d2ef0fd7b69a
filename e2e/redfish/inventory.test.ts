import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fleet, profileNames, startFleet } from "#fleet";
import { type Inventory, type RedfishRequest, readInventory } from "#redfish";
import { type CountedClient, countedClient } from "./counted-client.ts";

interface Taken {
  readonly inventory: Inventory;
  readonly asked: readonly RedfishRequest[];
}

async function take(client: CountedClient): Promise<Taken> {
  const inventory = await readInventory(client.service);
  if (!inventory.ok) throw new Error(inventory.failure.message);
  return { inventory: inventory.value, asked: client.asked.filter(({ method }) => method === "GET") };
}

/** Everything that has an address of its own: what a BMC without `$expand` must be asked for one by one. */
function membersOf({ inventories, managers, firmware }: Inventory): number {
  const perSystem = inventories.flatMap(({ processors, gpus, memory, storage, networkInterfaces, chassis }) => [
    1,
    processors.length,
    gpus.length,
    memory.length,
    storage.length,
    ...storage.flatMap(({ drives, volumes }) => [drives.length, volumes.length]),
    networkInterfaces.length,
    chassis.length,
  ]);
  return perSystem.reduce((sum, one) => sum + one, 0) + managers.length + firmware.length;
}

describe.each(profileNames)("inventory of %s", (profile) => {
  let fleet: Fleet;
  let client: CountedClient;
  let taken: Taken;

  beforeAll(async () => {
    fleet = await startFleet({ servers: 1, profile, seed: 7, addressing: "port" });
    const [bmc] = fleet.bmcs;
    if (!bmc) throw new Error("no BMC");
    client = countedClient(bmc);
    taken = await take(client);
  });
  afterAll(async () => {
    await client?.close();
    await fleet?.close();
  });

  it("is complete and without problems", () => {
    const { inventory } = taken;
    expect(inventory.problems).toEqual([]);
    const [machine] = inventory.inventories;
    expect(machine?.processors.length).toBeGreaterThanOrEqual(2);
    expect(machine?.memory.length).toBeGreaterThanOrEqual(16);
    expect(machine?.networkInterfaces.length).toBeGreaterThanOrEqual(4);
    expect(machine?.storage.flatMap(({ drives }) => drives).length).toBeGreaterThanOrEqual(8);
    expect(machine?.storage.flatMap(({ volumes }) => volumes).length).toBeGreaterThanOrEqual(1);
    expect(inventory.firmware.length).toBeGreaterThanOrEqual(20);
    expect(machine?.system).toMatchObject({ biosVersion: expect.any(String), powerState: "Off" });
    expect(machine?.system.trustedModules).toMatchObject([{ interfaceType: "TPM2_0" }]);
    expect(machine?.chassis[0]?.location.rack).toBe("rack-1");
    expect(inventory.managers[0]?.firmwareVersion).toBeTruthy();
    expect(machine?.networkInterfaces[0]?.mac).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
    for (const drive of machine?.storage.flatMap(({ drives }) => drives) ?? [])
      expect(drive).toMatchObject({ serialNumber: expect.any(String), capacityBytes: expect.any(Number) });
  });

  it("asks for nothing twice and within the budget", () => {
    const paths = taken.asked.map(({ path }) => path.replace(/\?.*$/, "").replace(/\/$/, ""));
    expect(paths.length).toBe(new Set(paths).size);
    const expands = taken.asked.some(({ path }) => path.includes("$expand"));
    expect(taken.asked.length).toBeLessThanOrEqual(expands ? 12 : membersOf(taken.inventory) + 8);
  });

  it("leaves no session behind", async () => {
    expect(await client.close()).toMatchObject({ ok: true });
    expect(fleet.control.bmcs[0]?.sessions.list()).toEqual([]);
  });
});

describe.each([2, 4] as const)("a BMC with %i systems", (systemsPerBmc) => {
  it("has each of them inventoried, and nothing read twice", async () => {
    const fleet = await startFleet({
      servers: systemsPerBmc,
      systemsPerBmc,
      profile: "supermicro-x12",
      seed: 7,
      addressing: "port",
    });
    const [bmc] = fleet.bmcs;
    if (!bmc) throw new Error("no BMC");
    const client = countedClient(bmc);
    const { inventory, asked } = await take(client);
    expect(inventory.inventories.map(({ system }) => system.uuid)).toEqual(bmc.systems.map(({ uuid }) => uuid));
    const serials = inventory.inventories.flatMap(({ storage }) => storage[0]?.drives.map((one) => one.serialNumber));
    expect(new Set(serials).size).toBe(systemsPerBmc * 8);
    const paths = asked.map(({ path }) => path);
    expect(paths.length).toBe(new Set(paths).size);
    await client.close();
    await fleet.close();
  });
});

it("accelerators are told from processors", async () => {
  const fleet = await startFleet({ servers: 24, profile: "openbmc", systemsPerBmc: 1, seed: 7, addressing: "port" });
  const inventories: Inventory[] = [];
  for (const bmc of fleet.bmcs) {
    const client = countedClient(bmc);
    inventories.push((await take(client)).inventory);
    await client.close();
  }
  const machines = inventories.flatMap((one) => one.inventories);
  expect(machines.every(({ processors }) => processors.length === 2)).toBe(true);
  expect(new Set(machines.map(({ gpus }) => gpus.length))).toEqual(new Set([0, 4]));
  await fleet.close();
});
