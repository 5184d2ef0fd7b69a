import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "#clock";
import type { Fault } from "#fleet";
import { readInventory, redfishClient, resetSystem, Survey } from "#redfish";
import { eventually, got, type Rig, rigOf } from "./bench-rig.ts";
import { addressOf, countedClient } from "./counted-client.ts";

let rig: Rig;
afterEach(() => rig?.close());

/** Everything that went wrong, as text: a password in it would be one in a log. */
const told: string[] = [];
const tell = <T>(value: T): T => {
  told.push(JSON.stringify(value));
  return value;
};

describe("a BMC that is sick altogether is a failure, not an exception", () => {
  it.each([
    [
      { kind: "unavailable", retryAfterSeconds: 7 },
      { code: "Busy", retryAfterMs: 7000 },
    ],
    [{ kind: "throttled" }, { code: "Busy" }],
    [{ kind: "html" }, { code: "BrokenAnswer" }],
    [{ kind: "html", status: 400 }, { code: "Refused" }],
    [{ kind: "truncated-json" }, { code: expect.stringMatching(/BrokenAnswer|ConnectionLost/) }],
    [{ kind: "connection-reset" }, { code: expect.stringMatching(/ConnectionLost|Unreachable/) }],
  ] as const satisfies readonly (readonly [Fault, object])[])("%j", async (fault, expected) => {
    rig = await rigOf("dell-idrac9");
    rig.fleet.control.inject(fault);
    expect(tell(await readInventory(rig.service))).toMatchObject({ ok: false, failure: expected });
    rig.fleet.control.clear();
    expect(await readInventory(rig.service)).toMatchObject({ ok: true, value: { problems: [] } });
  });

  it("a black hole is given up on after two timeouts, not after one per resource", async () => {
    rig = await rigOf("supermicro-x12");
    rig.fleet.control.inject({ kind: "black-hole", path: "/Systems/1/" });
    const before = rig.client.asked.length;
    const outcome = tell(await readInventory(rig.service, { timeoutMs: 60 }));
    expect(outcome).toMatchObject({ ok: false, failure: { code: "TimedOut" } });
    expect(rig.client.asked.slice(before).filter(({ path }) => path.includes("/Systems/1/")).length).toBe(2);
  });
});

describe("a BMC that is sick in one place", () => {
  it.each([
    ["html", "/Memory"],
    ["truncated-json", "/FirmwareInventory"],
    ["html", "/Storage"],
  ] as const)("%s at %s costs that part and is told as a problem", async (kind, path) => {
    rig = await rigOf("dell-idrac9");
    rig.fleet.control.inject({ kind, path });
    const inventory = got(tell(await readInventory(rig.service)));
    expect(inventory.problems.length).toBeGreaterThan(0);
    expect(inventory.problems[0]?.message).toContain(path);
    const [machine] = inventory.inventories;
    expect(machine?.processors.length).toBe(2);
    expect(machine?.networkInterfaces.length).toBeGreaterThan(3);
    if (path !== "/Memory") expect(machine?.memory.length).toBe(16);
    if (path === "/Storage") expect(machine?.storage[0]?.drives.length).toBeGreaterThan(0);
  });

  it("one connection that is reset under a read is tried again", async () => {
    rig = await rigOf("dell-idrac9");
    rig.fleet.control.inject({ kind: "connection-reset", path: "/Processors", times: 1 });
    expect(got(await readInventory(rig.service)).problems).toEqual([]);
  });

  it("a reset is never sent twice when the connection breaks under it", async () => {
    rig = await rigOf("dell-idrac9");
    rig.fleet.control.inject({ kind: "connection-reset", method: "POST" });
    const before = rig.client.asked.length;
    expect(tell(await resetSystem(rig.service, await rig.readSystem(), "On"))).toMatchObject({ ok: false });
    expect(rig.client.asked.slice(before).filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

describe("sessions", () => {
  it("a restarted BMC has forgotten ours: it is renewed, and no slot is lost", async () => {
    rig = await rigOf("dell-idrac9");
    rig.fleet.control.inject({ kind: "bmc-rebooting" });
    await eventually(async () => expect((await rig.service.get(rig.system.path)).ok).toBe(true));
    expect(rig.fleet.control.bmcs[0]?.sessions.list()).toHaveLength(1);
  });

  it.each(["dell-idrac9", "hpe-ilo6"] as const)("%s: all slots taken is said in that word", async (profile) => {
    rig = await rigOf(profile);
    rig.fleet.control.inject({ kind: "sessions-full" });
    const late = countedClient(rig.bmc);
    expect(tell(await late.service.members("/redfish/v1/Systems"))).toMatchObject({
      failure: { code: "SessionsFull" },
    });
    await late.close();
  });

  it("right credentials that are refused are not tried again and again", async () => {
    rig = await rigOf("lenovo-xcc");
    rig.fleet.control.inject({ kind: "unauthorized" });
    for (let i = 0; i < 5; i++) expect(tell(await rig.service.get(rig.system.path))).toMatchObject({ ok: false });
    const logins = rig.client.asked.filter(({ method }) => method === "POST");
    expect(logins.length).toBeLessThanOrEqual(2);
  });

  it("a wrong password is one login", async () => {
    rig = await rigOf("hpe-ilo5");
    const wrong = redfishClient({
      address: addressOf(rig.bmc),
      credentials: { username: rig.bmc.username, password: () => "Wr0ng-and-secret" },
      clock: systemClock,
    });
    for (let i = 0; i < 3; i++) {
      const survey = new Survey(wrong.service);
      await survey.members("/redfish/v1/Systems");
      expect(tell(survey.ended)).toMatchObject({ code: "Unauthorized" });
    }
    await wrong.close();
  });
});

it("none of what went wrong above tells a password or a token", () => {
  const text = told.join("\n");
  expect(told.length).toBeGreaterThan(15);
  expect(text).not.toContain("Sim-");
  expect(text).not.toContain("Wr0ng-and-secret");
  expect(text).not.toMatch(/Basic [A-Za-z0-9+/]/);
});
