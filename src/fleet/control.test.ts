import type { TSchema } from "typebox";
import { Check, Errors } from "typebox/value";
import { afterEach, describe, expect, it } from "vitest";
import { BMC, BMCSecret, Endpoint } from "#api";
import { VirtualClock } from "#clock";
import { apiVersionOf, rootSchema } from "#kinds";
import { rackView } from "./control/rack-view.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import type { JsonObject } from "./json.ts";
import { manifestsOf } from "./manifests.ts";
import type { FleetOptions } from "./options.ts";
import { clientOf } from "./testing/redfish.ts";

let fleet: Fleet | undefined;
afterEach(() => fleet?.close());

async function start(options: Partial<FleetOptions>): Promise<Fleet> {
  fleet = await startFleet({ servers: 12, profile: "mixed", seed: 3, ...options });
  return fleet;
}

const kindOf = (object: Readonly<Record<string, unknown>>): unknown => object.kind;

describe("manifests", () => {
  it("name every BMC with its address, port and secret", async () => {
    const running = await start({});
    const objects = manifestsOf(running);
    const bmcs = objects.filter((object) => kindOf(object) === "BMC");
    const secrets = new Map(
      objects
        .filter((object) => kindOf(object) === "BMCSecret")
        .map((secret) => [(secret.metadata as JsonObject).name, secret.data as JsonObject]),
    );
    expect(bmcs.length).toBe(running.bmcs.length);
    for (const [at, { spec }] of bmcs.entries()) {
      const { access, bmcSecretRef, protocol } = spec as {
        access: JsonObject;
        bmcSecretRef: JsonObject;
        protocol: JsonObject;
      };
      const simulated = running.bmcs[at];
      expect(access).toEqual({ macAddress: simulated?.mac, ip: simulated?.host });
      expect(protocol).toEqual({ name: "Redfish", port: simulated?.port, scheme: "http" });
      const data = secrets.get(bmcSecretRef.name);
      expect(Buffer.from(String(data?.username), "base64").toString()).toBe(simulated?.username);
      expect(Buffer.from(String(data?.password), "base64").toString()).toBe(simulated?.password);
    }
  });

  it.each(["inline", "endpoint"] as const)("with %s access are as our kinds say", async (access) => {
    const kinds = { BMC, BMCSecret, Endpoint };
    for (const object of manifestsOf(await start({}), { access })) {
      const kind = kinds[object.kind as keyof typeof kinds];
      expect(object.apiVersion).toBe(apiVersionOf(kind));
      expect(Errors(rootSchema(kind.definition) as TSchema, object)).toEqual([]);
    }
    const spec = { protocol: { name: "Redfish", port: "8000" }, bmcSecretRef: {} };
    expect(Check(rootSchema(BMC.definition) as TSchema, { spec })).toBe(false);
  });

  it("can name an Endpoint for each instead", async () => {
    const running = await start({ servers: 2, profile: "openbmc" });
    const objects = manifestsOf(running, { access: "endpoint" });
    expect(objects.map(kindOf)).toEqual(["BMCSecret", "Endpoint", "BMC", "Endpoint", "BMC"]);
    expect(objects[2]?.spec).toMatchObject({ endpointRef: { name: "bmc-00000" } });
    expect(objects[2]?.spec).not.toHaveProperty("access");
  });
});

describe("the rack view", () => {
  it("shows ten BMCs to a rack, with power and faults", async () => {
    const clock = new VirtualClock();
    const running = await start({ profile: "openbmc", clock });
    running.control.inject({ kind: "fan-failing" }, 11);
    running.control.bmcs[0]?.hosts[0]?.reset("On");
    await clock.advance(5_000);
    const view = rackView(running);
    expect(view.match(/rack-\d+/g)).toEqual(["rack-1", "rack-2"]);
    expect(view).toMatch(/U 1 ● {4}openbmc +127\.1\.0\.1:\d+ +post/);
    expect(view).toMatch(/U 3 ○ {4}openbmc +127\.1\.0\.12:\d+ +off ! fan-failing/);
    expect(rackView(running, 2, 2)).not.toContain("rack-1");
  });
});

describe("traffic", () => {
  it("is counted, and can be watched", async () => {
    const clock = new VirtualClock();
    const running = await start({ profile: "openbmc", clock, latency: 1_000 });
    const [bmc] = running.bmcs;
    const simulated = running.control.bmcs[0];
    if (!bmc || !simulated) throw new Error("no BMC");
    const seen: string[] = [];
    const stop = running.control.watch(({ method, url }) => seen.push(`${method} ${url}`));
    const both = Promise.all([clientOf(bmc)("GET", "/redfish/v1"), clientOf(bmc)("GET", "/redfish/v1")]);
    while (simulated.traffic.requests < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(simulated.traffic).toEqual({ requests: 2, inFlight: 2, mostInFlight: 2 });
    await clock.advance(1_000);
    await both;
    stop();
    expect(seen).toEqual(["GET /redfish/v1", "GET /redfish/v1"]);
    while (simulated.traffic.inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(running.control.bmcs[1]?.traffic.requests).toBe(0);
  });

  it("takes as long as the vendor's BMC takes when latency is realistic", async () => {
    const clock = new VirtualClock();
    const running = await start({ servers: 1, profile: "dell-idrac9", clock, latency: "realistic" });
    const [bmc] = running.bmcs;
    if (!bmc) throw new Error("no BMC");
    let answered = false;
    const answer = clientOf(bmc)("GET", "/redfish/v1").then(() => {
      answered = true;
    });
    while (clock.pendingTimers === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(159);
    expect(answered).toBe(false);
    await clock.advance(321);
    await answer;
  });
});

describe("accelerators", () => {
  it("are in one machine of eight, beside its two processors", async () => {
    const running = await start({ servers: 100, profile: "openbmc" });
    const counts = await Promise.all(
      running.bmcs.map(
        async (bmc) => (await clientOf(bmc)("GET", `${bmc.systems[0]?.path}/Processors`)).body["Members@odata.count"],
      ),
    );
    const withGpus = counts.filter((count) => count === 6).length;
    expect(withGpus).toBeGreaterThan(3);
    expect(withGpus).toBeLessThan(30);
    expect(counts.every((count) => count === 2 || count === 6)).toBe(true);
  });
});

describe("closing", () => {
  it("leaves no timer behind, whatever was going on", async () => {
    const clock = new VirtualClock();
    const running = await startFleet({
      servers: 3,
      profile: "dell-idrac9",
      clock,
      powered: "On",
      script: [{ atMs: 60_000, on: "*", fault: { kind: "html" } }],
    });
    const [bmc] = running.control.bmcs;
    bmc?.tasks.start({ name: "work", stepMs: 10_000, done: () => undefined });
    bmc?.reportMetrics();
    running.control.inject({ kind: "event-storm" }, "*", 60_000);
    running.control.inject({ kind: "bmc-rebooting" }, 1);
    await clock.advance(30_000);
    expect(clock.pendingTimers).toBeGreaterThan(3);
    await running.close();
    expect(clock.pendingTimers).toBe(0);
  });
});
