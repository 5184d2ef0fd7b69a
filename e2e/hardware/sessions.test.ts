import { describe, expect, it, vi } from "vitest";
import { cleanUpAfterEach, fleetOf, hold, laneRequest, lanesOf, nth, systems, until } from "./fixture.ts";

cleanUpAfterEach();

type Inside = ReturnType<typeof nth>["inside"];

const recordedOf = (inside: Inside): readonly string[] =>
  inside.sessions.list().map(({ id }) => `/redfish/v1/SessionService/Sessions/${id}`);

describe("sessions of the lanes", () => {
  it("are one per BMC whoever asks, and none after a graceful stop", async () => {
    const fleet = await fleetOf({ servers: 6, profile: "mixed" });
    const lanes = lanesOf();
    const handles = fleet.bmcs.flatMap((bmc) => [
      hold(lanes, bmc),
      hold(lanes, bmc, { holder: `Server/${bmc.index}` }),
    ]);
    const outcomes = await Promise.all(handles.map((handle) => handle.send(systems)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(12);
    expect(lanes.size).toBe(6);
    for (const inside of fleet.control.bmcs) expect(inside.openSessions).toBe(inside.profile.sessions ? 1 : 0);
    await lanes.close();
    expect(fleet.control.bmcs.map(({ openSessions }) => openSessions)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(lanes.size).toBe(0);
  });

  it("end when the last holder lets go, and a new lane waits for that", async () => {
    const fleet = await fleetOf({ latency: 30 });
    const { bmc, inside } = nth(fleet, 0);
    const lanes = lanesOf();
    const [first, second] = [hold(lanes, bmc), hold(lanes, bmc, { holder: "Server/a" })];
    await first.send(systems);
    await first.release();
    expect(inside.openSessions).toBe(1);
    expect(await second.send(systems)).toMatchObject({ ok: true });
    expect(await first.send(systems)).toMatchObject({ failure: { code: "Fenced" } });
    const letGo = second.release();
    const third = hold(lanes, bmc);
    expect(await third.send(systems)).toMatchObject({ ok: true });
    await letGo;
    expect(inside.openSessions).toBe(1);
    expect(inside.traffic.mostInFlight).toBe(1);
    await third.release();
    expect(inside.openSessions).toBe(0);
  });

  it("left by a crash are removed at first contact, others' are not", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    const colleague = inside.sessions.open(bmc.username);
    const stranger = inside.sessions.open("someone-else");
    const recorded: string[] = [];
    const crashed = lanesOf();
    await hold(crashed, bmc, { onSessions: (uris) => recorded.splice(0, recorded.length, ...uris) }).send(systems);
    expect(recorded).toHaveLength(1);
    expect(inside.openSessions).toBe(3);

    const reused = `/redfish/v1/SessionService/Sessions/${stranger?.id}`;
    const next = hold(lanesOf(), bmc, { recordedSessions: [...recorded, reused] });
    expect(await next.send(systems)).toMatchObject({ ok: true });
    const left = inside.sessions.list().map(({ id }) => id);
    expect(left).toContain(colleague?.id);
    expect(left).toContain(stranger?.id);
    expect(left).toHaveLength(3);
    expect(left.map((id) => `/redfish/v1/SessionService/Sessions/${id}`)).not.toContain(recorded[0]);
  });

  it("left by one crash after the other never add up", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    let recorded: readonly string[] = [];
    for (let crash = 0; crash < 12; crash++) {
      const handle = hold(lanesOf(), bmc, {
        recordedSessions: recorded,
        onSessions: (uris) => {
          recorded = uris;
        },
      });
      expect(await handle.send(systems)).toMatchObject({ ok: true });
      // The process ends here without a word; the BMC has eight slots.
      expect(inside.openSessions, `after ${crash} crashes`).toBe(1);
    }
  });

  it("left by a crash give their slot back even when all are taken", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    const ours = inside.sessions.open(bmc.username);
    while (inside.sessions.open("someone-else"));
    const uri = `/redfish/v1/SessionService/Sessions/${ours?.id}`;
    const handle = hold(lanesOf(), bmc, { recordedSessions: [uri] });
    expect(await handle.send(systems)).toMatchObject({ ok: true });
    expect(handle.conditions).toEqual([]);
    expect(inside.sessions.get(ours?.id ?? "")).toBeUndefined();
    expect(inside.sessions.list().filter(({ username }) => username === bmc.username)).toHaveLength(1);
  });

  it("are done without while every slot is taken, and a condition says so", async () => {
    const fleet = await fleetOf({ profile: "hpe-ilo5" });
    const { bmc, inside } = nth(fleet, 0);
    fleet.control.inject({ kind: "sessions-full" });
    const told = vi.fn();
    const handle = hold(lanesOf(), bmc, { onChange: told });
    expect(await handle.send(systems)).toMatchObject({ ok: true });
    expect(handle.conditions.map(({ type }) => type)).toEqual(["SessionSlotsFull"]);
    expect(told).toHaveBeenCalled();
    const before = handle.detail().sent;
    expect(await handle.send(systems)).toMatchObject({ ok: true });
    expect(handle.detail().sent - before, "no further login is tried for a while").toBe(1);
    expect(inside.openSessions).toBe(0);
  });

  it("that the BMC forgot are renewed, and at most one of ours stays", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    const handle = hold(lanesOf(), bmc);
    for (let round = 0; round < 5; round++) {
      expect(await handle.send(systems)).toMatchObject({ ok: true });
      // The BMC refuses our token once although the session is alive.
      fleet.control.inject({ kind: "unauthorized", path: "Systems", times: 1 });
    }
    expect(await handle.send(systems)).toMatchObject({ ok: true });
    expect(inside.openSessions).toBe(1);
  });

  it("are not opened one after the other on a BMC that refuses its own tokens", async () => {
    const fleet = await fleetOf({ profile: "openbmc" });
    const { bmc, inside } = nth(fleet, 0);
    const handle = hold(lanesOf(), bmc);
    fleet.control.inject({ kind: "unauthorized", path: "Systems" });
    for (let i = 0; i < 30; i++) expect(await handle.send(systems)).toMatchObject({ ok: false });
    expect(inside.openSessions).toBeLessThanOrEqual(6);
    expect(handle.conditions.map(({ type }) => type)).toEqual(["Unresponsive"]);
    fleet.control.clear();
    const after = hold(lanesOf(), bmc, { recordedSessions: recordedOf(inside) });
    expect(await after.send(systems)).toMatchObject({ ok: true });
    expect(inside.openSessions).toBe(1);
  });

  it("opened by a login that was never answered are found and removed", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    const handle = hold(lanesOf(), bmc);
    // The BMC opens the session and its answer is cut off.
    fleet.control.inject({ kind: "truncated-json", path: "Sessions", method: "POST", times: 1 });
    expect(await handle.send(systems)).toMatchObject({ ok: false });
    expect(inside.openSessions).toBe(1);
    expect(await handle.send(systems)).toMatchObject({ ok: true });
    expect(inside.openSessions).toBe(1);
  });
});

describe("credentials of the lanes", () => {
  it("that are refused are tried once, until they change", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    const checks = vi.spyOn(inside.accounts, "check");
    let password = "wrong-password";
    const handle = hold(lanesOf(), bmc, { credentials: { username: bmc.username, password: () => "wrong-password" } });
    for (let i = 0; i < 5; i++) expect(await handle.send(systems)).toMatchObject({ failure: { code: "Unauthorized" } });
    expect(checks).toHaveBeenCalledTimes(1);
    expect(handle.conditions.map(({ type }) => type)).toEqual(["CredentialsRefused"]);
    expect(handle.detail()).toMatchObject({ session: "refused", breaker: "closed", inFlight: 0 });
    handle.updateCredentials({ username: bmc.username, password: () => password });
    expect(await handle.send(systems), "the same password again is no change").toMatchObject({ ok: false });
    expect(checks).toHaveBeenCalledTimes(1);
    password = bmc.password;
    handle.updateCredentials({ username: bmc.username, password: () => bmc.password });
    expect(await handle.send(systems)).toMatchObject({ ok: true });
    expect(handle.conditions).toEqual([]);
  });

  it("that conflict are a condition of who came later, and nothing is sent for him", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    const checks = vi.spyOn(inside.accounts, "check");
    const lanes = lanesOf();
    const first = hold(lanes, bmc, { holder: "BMC/a" });
    const later = hold(lanes, bmc, { holder: "BMC/b", credentials: { username: "other", password: () => "guess" } });
    expect(lanes.size).toBe(1);
    expect(await first.send(systems)).toMatchObject({ ok: true });
    const used = checks.mock.calls.length;
    expect(await later.send(systems)).toMatchObject({ failure: { code: "Unauthorized" } });
    expect(checks).toHaveBeenCalledTimes(used);
    expect(first.conditions).toEqual([]);
    expect(later.conditions).toMatchObject([
      { type: "CredentialsConflict", message: expect.stringContaining("BMC/a") },
    ]);
    later.updateCredentials(laneRequest(bmc).credentials);
    expect(later.conditions).toEqual([]);
    expect(await later.send(systems)).toMatchObject({ ok: true });
  });

  it("follow the next holder when the first lets go", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    const lanes = lanesOf();
    const wrong = hold(lanes, bmc, { credentials: { username: bmc.username, password: () => "wrong" } });
    const right = hold(lanes, bmc, { holder: "BMC/right" });
    await wrong.send(systems);
    expect(right.conditions.map(({ type }) => type)).toContain("CredentialsConflict");
    await wrong.release();
    expect(await right.send(systems)).toMatchObject({ ok: true });
    expect(right.conditions).toEqual([]);
    expect(inside.openSessions).toBe(1);
  });

  it("that rotate end the old session", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    let recorded: readonly string[] = [];
    const onSessions = (uris: readonly string[]) => {
      recorded = uris;
    };
    const handle = hold(lanesOf(), bmc, { onSessions });
    await handle.send(systems);
    const account = inside.accounts.named(bmc.username);
    if (account) account.password = "Rotated-1234";
    handle.updateCredentials({ username: bmc.username, password: () => "Rotated-1234" });
    expect(await handle.send(systems)).toMatchObject({ ok: true });
    await handle.send(systems);
    expect(inside.openSessions).toBe(1);
    await until(() => recorded.length === 1, "only the session in use is recorded");
    expect(recorded).toEqual(recordedOf(inside));
  });
});
