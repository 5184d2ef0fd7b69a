import { describe, expect, it } from "vitest";
import type { BmcSnapshot, HardwareChange } from "#hardware";
import { cleanUpAfterEach, fleetOf, lanesOf, nth, until } from "./fixture.ts";
import { asked, hardwareOf, powerOf } from "./watched.ts";

cleanUpAfterEach();

let nonces = 0;
const intent = async () => ({ nonce: String(++nonces) });

describe("hardware on a fleet", () => {
  it("knows every server of every vendor, and is told when one changes", async () => {
    const fleet = await fleetOf({ servers: 12, profile: "mixed", speed: 100 });
    const { attach } = hardwareOf();
    const attached = fleet.bmcs.map((bmc) => attach(bmc));
    const isKnown = ({ servers }: BmcSnapshot) =>
      servers.length > 0 && servers.every(({ power }) => power !== undefined);
    await until(() => attached.every(({ snapshot }) => isKnown(snapshot)), "the power of all servers", 30_000);
    for (const [at, bmc] of attached.entries()) {
      expect(bmc.snapshot.servers).toHaveLength(fleet.bmcs[at]?.systems.length ?? -1);
      expect(bmc.snapshot.manager?.value.firmwareVersion).toBeDefined();
      expect(bmc.conditions).toEqual([]);
    }
  }, 60_000);

  it("powers on, sees it twice, and tells who listens", async () => {
    const fleet = await fleetOf({ speed: 50 });
    const { bmc, inside } = nth(fleet, 0);
    const { attach, lines } = hardwareOf();
    const attached = attach(bmc);
    await until(() => attached.snapshot.servers[0]?.power?.value === "Off", "power off");
    const server = attached.snapshot.servers[0]?.id ?? "";
    const changes: HardwareChange[] = [];
    attached.subscribe((change) => changes.push(change));
    const action = { kind: "Reset", server, type: "On" } as const;
    expect(await attached.perform({ ...asked, action, intent })).toMatchObject({ value: { sent: true } });
    await until(() => powerOf(attached, server) === "On", "power on");
    expect(inside.hosts[0]?.power).toBe("On");
    expect(changes.some(({ parts }) => parts.includes("power"))).toBe(true);
    const [begin, end] = lines.map((line) => JSON.parse(line));
    expect(begin).toMatchObject({ phase: "begin", before: { power: "Off" } });
    expect(end).toMatchObject({ phase: "end", outcome: "sent" });

    const again = await attached.perform({ ...asked, action, intent });
    expect(again, "it is on already").toMatchObject({ value: { sent: false } });
  }, 30_000);

  it("arms a network boot once and reads the whole inventory when asked", async () => {
    const fleet = await fleetOf({ profile: "hpe-ilo5" });
    const { bmc } = nth(fleet, 0);
    const { attach } = hardwareOf(lanesOf({ rate: { perSecond: 500, burst: 500 } }));
    const attached = attach(bmc);
    await until(() => attached.snapshot.servers.length === 1, "introduced");
    const server = attached.snapshot.servers[0]?.id ?? "";
    const override = { target: "Pxe", lasts: "Once" } as const;
    expect(await attached.perform({ ...asked, action: { kind: "SetBootOverride", server, override } })).toMatchObject({
      ok: true,
    });
    expect(attached.snapshot.servers[0]?.facts.value.boot).toMatchObject({
      overrideTarget: "Pxe",
      overrideEnabled: "Once",
    });
    expect(await attached.refreshInventory()).toMatchObject({ ok: true });
    const inventory = attached.snapshot.inventory?.value;
    expect(inventory?.protocol === "redfish" && inventory.inventory.inventories[0]?.memory).toHaveLength(16);
  });

  it("reads what the snapshot does not hold, and changes nothing on that way", async () => {
    const fleet = await fleetOf({ profile: "dell-idrac9" });
    const { bmc, inside } = nth(fleet, 0);
    const { attach, lines } = hardwareOf();
    const attached = attach(bmc);
    await until(() => attached.snapshot.servers.length === 1, "introduced");
    const server = attached.snapshot.servers[0]?.id ?? "";
    const light = await attached.read({ name: "read the light" }, (service, options) => service.get(server, options));
    expect(light).toMatchObject({ ok: true, value: { body: { PowerState: "Off" } } });
    const { requests } = inside.traffic;
    const change = await attached.read({ name: "sneak in" }, (service, options) =>
      service.post(`${server}/Actions/ComputerSystem.Reset`, { ResetType: "On" }, options),
    );
    expect(change).toMatchObject({ failure: { code: "Refused" } });
    expect(inside.traffic.requests).toBe(requests);

    const reset = await attached.perform({
      ...asked,
      intent,
      action: {
        kind: "Custom",
        name: "Reset/On",
        server,
        repeatable: false,
        detail: { type: "On" },
        run: (service, options) => service.post(`${server}/Actions/ComputerSystem.Reset`, { ResetType: "On" }, options),
      },
    });
    expect(reset).toMatchObject({ value: { sent: true } });
    expect(lines).toHaveLength(2);
  });

  it("is one watch and one session for all objects that name the BMC, until the last lets go", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    const { attach } = hardwareOf();
    const [first, second] = [attach(bmc, { holder: "BMC/a" }), attach(bmc, { holder: "Server/a" })];
    await until(() => first.snapshot.servers.length === 1, "introduced");
    await first.detach();
    expect(await second.refresh(second.snapshot.servers[0]?.id ?? "")).toMatchObject({ ok: true });
    expect(inside.openSessions).toBe(1);
    expect(inside.traffic.mostInFlight).toBe(1);
    await second.detach();
    expect(inside.openSessions).toBe(0);
  });

  it("finds its way back to a BMC that restarted, with one session", async () => {
    const fleet = await fleetOf({ profile: "lenovo-xcc", timing: { bmcRebootMs: 300 } });
    const { bmc, inside } = nth(fleet, 0);
    const { attach } = hardwareOf();
    const attached = attach(bmc);
    await until(() => attached.snapshot.servers[0]?.power !== undefined, "power known");
    const server = attached.snapshot.servers[0]?.id ?? "";
    fleet.control.inject({ kind: "bmc-rebooting" });
    expect(await attached.refresh(server)).toMatchObject({ ok: false });
    expect(attached.snapshot.reachable?.value).toBe(false);
    await until(() => !inside.rebooting, "the BMC is back");
    attached.expect(server, 60_000);
    await until(() => attached.snapshot.reachable?.value === true, "reachable again", 15_000);
    expect(inside.openSessions).toBe(1);
    expect(attached.conditions).toEqual([]);
  }, 30_000);

  it("shows nothing to an object with other credentials", async () => {
    const fleet = await fleetOf();
    const { bmc } = nth(fleet, 0);
    const { attach, lines } = hardwareOf();
    const first = attach(bmc);
    const other = attach(bmc, { holder: "BMC/x", credentials: { username: "x", password: () => "guess" } });
    await until(() => first.snapshot.servers.length === 1, "introduced");
    expect(other.snapshot.servers).toEqual([]);
    expect(other.conditions).toMatchObject([{ type: "CredentialsConflict" }]);
    const server = first.snapshot.servers[0]?.id ?? "";
    const action = { kind: "Reset", server, type: "On" } as const;
    expect(await other.perform({ ...asked, action, intent })).toMatchObject({ failure: { code: "Unauthorized" } });
    expect(lines).toEqual([]);
  });

  it("starts no request after the fence closed, and leaves a session that the next process removes", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    let over = false;
    const recorded: string[] = [];
    const lanes = lanesOf({
      fence: () => {
        if (over) throw new Error("the lease is over");
      },
    });
    const { attach, hardware } = hardwareOf(lanes);
    const attached = attach(bmc, { onSessions: (uris) => recorded.splice(0, recorded.length, ...uris) });
    await until(() => attached.snapshot.servers[0]?.power !== undefined, "power known");
    over = true;
    const { requests } = inside.traffic;
    const server = attached.snapshot.servers[0]?.id ?? "";
    expect(await attached.perform({ ...asked, intent, action: { kind: "Reset", server, type: "On" } })).toMatchObject({
      failure: { code: "Fenced" },
    });
    await hardware.close();
    expect(inside.traffic.requests).toBe(requests);
    expect(inside.openSessions).toBe(1);

    const next = hardwareOf();
    const resumed = next.attach(bmc, { recordedSessions: recorded });
    await until(() => resumed.snapshot.servers.length === 1, "introduced");
    expect(inside.openSessions).toBe(1);
    await next.hardware.close();
    expect(inside.openSessions).toBe(0);
  });
});
