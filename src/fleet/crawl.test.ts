import { afterEach, describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { type Fleet, startFleet } from "./fleet.ts";
import type { JsonObject } from "./json.ts";
import type { FleetOptions } from "./options.ts";
import { profileNames } from "./profiles/profile.ts";
import { clientOf, crawl, type Received } from "./testing/redfish.ts";
import { actionTargets, schemaProblems } from "./testing/schema.ts";

const fleets: Fleet[] = [];
afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.close();
});

async function walk(options: Partial<FleetOptions>, prepare?: (fleet: Fleet) => void): Promise<Map<string, Received>> {
  const fleet = await startFleet({ servers: 1, clock: new VirtualClock(), ...options });
  fleets.push(fleet);
  prepare?.(fleet);
  const [bmc] = fleet.bmcs;
  if (!bmc) throw new Error("no BMC");
  return crawl(clientOf(bmc));
}

/** A BMC on which something happened: a session, a task, a subscription, log entries. */
function live({ control }: Fleet): void {
  const [bmc] = control.bmcs;
  if (!bmc) return;
  if (bmc.profile.sessions) bmc.sessions.open("root");
  bmc.tasks.start({ name: "work", stepMs: 1000, done: () => undefined });
  if (bmc.profile.update.handsToJob) bmc.tasks.start({ id: "job-1", name: "job", stepMs: 1000, done: () => undefined });
  bmc.announce({ messageId: "x.1.0.y", message: "it happened", severity: "Warning", origin: bmc.hosts[0]?.path ?? "" });
  const headers = {};
  if (bmc.profile.events)
    bmc.subscriptions.add({
      destination: "http://127.0.0.1/x",
      context: "c",
      format: "MetricReport",
      protocol: "Redfish",
      retryPolicy: "SuspendRetries",
      headers,
    });
}

const members = (body: JsonObject | undefined): unknown[] => (body?.Members ?? []) as unknown[];

describe.each(profileNames)("the tree of %s", (profile) => {
  it("resolves everywhere and is as its schemas say", async () => {
    const seen = await walk({ profile }, live);
    const broken = [...seen]
      .filter(([, { status }]) => status !== 200)
      .map(([path, { status }]) => `${status} ${path}`);
    expect(broken).toEqual([]);
    expect([...seen].flatMap(([path, { body }]) => schemaProblems(path, body))).toEqual([]);
  });

  it("holds at least what a server holds", async () => {
    const seen = await walk({ profile });
    const under = (end: string): unknown[] => members([...seen].find(([path]) => path.endsWith(end))?.[1].body);
    expect(under("/Processors").length).toBeGreaterThanOrEqual(2);
    expect(under("/Memory").length).toBeGreaterThanOrEqual(16);
    expect(under("/EthernetInterfaces").length).toBeGreaterThanOrEqual(1);
    expect([...seen.keys()].filter((path) => path.includes("/Drives/")).length).toBe(8);
    expect([...seen.keys()].filter((path) => /\/Systems\/[^/]+\/EthernetInterfaces\//.test(path)).length).toBe(4);
    expect(under("/FirmwareInventory").length).toBeGreaterThanOrEqual(20);
  });

  it("offers only actions that can be posted to", async () => {
    const fleet = await startFleet({ servers: 1, profile });
    fleets.push(fleet);
    const [bmc] = fleet.bmcs;
    if (!bmc) throw new Error("no BMC");
    const call = clientOf(bmc);
    const targets = [...(await crawl(call)).values()].flatMap(({ body }) => actionTargets(body));
    expect(targets.length).toBeGreaterThan(4);
    for (const target of targets)
      expect([target, (await call("OPTIONS", target)).headers.allow]).toEqual([target, "POST, OPTIONS"]);
  });
});

describe("several systems behind one BMC", () => {
  it.each([2, 4] as const)("%i of them resolve and differ", async (systemsPerBmc) => {
    const seen = await walk({ profile: "supermicro-x12", servers: systemsPerBmc, systemsPerBmc });
    expect([...seen.values()].every(({ status }) => status === 200)).toBe(true);
    const systems = [...seen].filter(([path]) => /\/Systems\/\d+$/.test(path)).map(([, { body }]) => body);
    expect(new Set(systems.map(({ UUID: uuid }) => uuid)).size).toBe(systemsPerBmc);
    const macs = [...seen.values()].flatMap(({ body }) =>
      typeof body.MACAddress === "string" ? [body.MACAddress] : [],
    );
    expect(new Set(macs).size).toBe(systemsPerBmc * 4 + 1);
  });
});

describe("the seed", () => {
  const texts = async (seed: number): Promise<string[]> =>
    [...(await walk({ seed, profile: "mixed" })).values()].map(({ text }) => text);

  it("decides everything", async () => {
    const first = await texts(7);
    expect(await texts(7)).toEqual(first);
    expect(await texts(8)).not.toEqual(first);
  });
});

describe("addressing", () => {
  it("by port gives every BMC its own", async () => {
    const fleet = await startFleet({ servers: 3, profile: "openbmc", addressing: "port" });
    fleets.push(fleet);
    expect(new Set(fleet.bmcs.map(({ address }) => address)).size).toBe(3);
    const roots = await Promise.all(fleet.bmcs.map((bmc) => clientOf(bmc)("GET", "/redfish/v1")));
    expect(new Set(roots.map(({ body }) => body.UUID)).size).toBe(3);
  });

  it("refuses options that make no sense, naming all of them", async () => {
    await expect(startFleet({ servers: 0, port: -1, speed: 0, password: "short" })).rejects.toThrow(
      /servers.*port.*speed.*password/,
    );
  });
});
