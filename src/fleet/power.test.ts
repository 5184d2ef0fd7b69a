import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { type Fleet, startFleet } from "./fleet.ts";
import type { Host } from "./host/host.ts";
import type { JsonObject } from "./json.ts";
import type { ProfileName } from "./profiles/profile.ts";
import { type Call, clientOf } from "./testing/redfish.ts";

let clock: VirtualClock;
let fleet: Fleet;
let call: Call;
let host: Host;
let system: string;

async function use(profile: ProfileName): Promise<void> {
  await fleet?.close();
  clock = new VirtualClock();
  fleet = await startFleet({ servers: 1, profile, clock });
  const [bmc] = fleet.bmcs;
  const found = fleet.control.bmcs[0]?.hosts[0];
  if (!bmc || !found) throw new Error("no BMC");
  call = clientOf(bmc);
  host = found;
  system = found.path;
}

const reset = (type: string) => call("POST", `${system}/Actions/ComputerSystem.Reset`, { body: { ResetType: type } });
const power = async () => (await call("GET", system)).body.PowerState;
const boot = async () => (await call("GET", system)).body.Boot as JsonObject;

beforeEach(() => use("openbmc"));
afterEach(() => fleet.close());

describe("power", () => {
  it("takes its time to come on and to go off", async () => {
    expect(await power()).toBe("Off");
    expect((await reset("On")).status).toBe(204);
    expect(await power()).toBe("PoweringOn");
    await clock.advance(4_000);
    expect(await power()).toBe("On");
    expect((await reset("ForceOff")).status).toBe(204);
    expect(await power()).toBe("PoweringOff");
    await clock.advance(3_000);
    expect(await power()).toBe("Off");
  });

  it("is cut during POST as well", async () => {
    await reset("On");
    await clock.advance(10_000);
    expect(host.phase).toBe("post");
    await reset("ForceOff");
    await clock.advance(3_000);
    expect([host.power, host.phase]).toEqual(["Off", "off"]);
    await clock.advance(120_000);
    expect(host.phase).toBe("off");
  });

  it("counts a start for every way to restart", async () => {
    await reset("On");
    await clock.advance(70_000);
    for (const type of ["ForceRestart", "GracefulRestart", "PowerCycle"]) {
      await reset(type);
      await clock.advance(100_000);
    }
    expect(host.boots).toBe(4);
    expect(await power()).toBe("On");
  });

  it("refuses an unknown type and a missing one, naming the parameter", async () => {
    const wrong = await reset("Explode");
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("ActionParameterValueNotInList");
    const missing = await call("POST", `${system}/Actions/ComputerSystem.Reset`, { body: {} });
    expect(missing.text).toContain("ActionParameterMissing");
    expect(host.power).toBe("Off");
  });

  it("is stuck when a fault says so, and answers as if it were not", async () => {
    fleet.control.inject({ kind: "stuck-power" });
    expect((await reset("On")).status).toBe(204);
    await clock.advance(600_000);
    expect(await power()).toBe("Off");
  });

  it("is lied about when a fault says so", async () => {
    fleet.control.inject({ kind: "lying-power", state: "On" });
    expect(await power()).toBe("On");
    expect(host.power).toBe("Off");
  });

  it.each([
    ["dell-idrac9", 409],
    ["hpe-ilo6", 409],
    ["lenovo-xcc", 204],
    ["supermicro-x12", 200],
    ["generic", 202],
  ] as const)("on %s, asking for the state that is answers %i", async (profile, status) => {
    await use(profile);
    expect((await reset("ForceOff")).status).toBe(status);
  });
});

describe("the operating system", () => {
  beforeEach(async () => {
    host.disks.write(1, { bytes: "installed", bootable: true });
    await reset("On");
    await clock.advance(120_000);
    expect(host.phase).toBe("os");
  });

  it("heeds a graceful shutdown", async () => {
    await reset("GracefulShutdown");
    await clock.advance(5_000);
    expect(host.power).toBe("PoweringOff");
    await clock.advance(15_000);
    expect(host.power).toBe("Off");
  });

  it("may ignore it, and then only force helps", async () => {
    fleet.control.inject({ kind: "ignores-shutdown" });
    await reset("GracefulShutdown");
    await clock.advance(600_000);
    expect(await power()).toBe("On");
    await reset("ForceOff");
    await clock.advance(3_000);
    expect(await power()).toBe("Off");
  });
});

describe("the boot override", () => {
  const arm = (values: JsonObject) => call("PATCH", system, { body: { Boot: values } });

  it("counts once and is gone after the start", async () => {
    expect((await arm({ BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Pxe" })).status).toBe(204);
    expect(await boot()).toMatchObject({ BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Pxe" });
    await reset("On");
    await clock.advance(120_000);
    expect(host.story[0]).toBe("Pxe: no DHCP offer");
    expect(host.story.at(-1)).toBe("no bootable device");
    expect(await boot()).toMatchObject({ BootSourceOverrideEnabled: "Disabled", BootSourceOverrideTarget: "None" });
  });

  it("stays when it is continuous", async () => {
    await arm({ BootSourceOverrideEnabled: "Continuous", BootSourceOverrideTarget: "Hdd" });
    await reset("On");
    await clock.advance(120_000);
    expect(await boot()).toMatchObject({ BootSourceOverrideEnabled: "Continuous", BootSourceOverrideTarget: "Hdd" });
  });

  it("that leads nowhere gives way to the usual order", async () => {
    host.disks.write(1, { bytes: "installed", bootable: true });
    await arm({ BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Pxe" });
    await reset("On");
    await clock.advance(120_000);
    expect(host.story).toEqual(["Pxe: no DHCP offer", "running from disk: installed"]);
  });

  it("is forgotten when a fault says so, and the disk starts instead", async () => {
    fleet.control.inject({ kind: "boot-override-ignored" });
    host.disks.write(1, { bytes: "old system", bootable: true });
    await arm({ BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Pxe" });
    await reset("On");
    await clock.advance(120_000);
    expect(host.story).toEqual(["running from disk: old system"]);
  });

  it("refuses what is not among the values, all of it at once, and changes nothing", async () => {
    const answer = await arm({ BootSourceOverrideEnabled: "Often", BootSourceOverrideTarget: "Tape" });
    expect(answer.status).toBe(400);
    expect(answer.text.match(/PropertyValueNotInList/g)?.length).toBe(2);
    expect(await boot()).toMatchObject({ BootSourceOverrideEnabled: "Disabled", BootSourceOverrideTarget: "None" });
  });

  it("follows the written order", async () => {
    host.disks.write(1, { bytes: "installed", bootable: true });
    await arm({ BootOrder: ["Boot0002", "Boot0001"] });
    await reset("On");
    await clock.advance(120_000);
    expect(host.story).toEqual(["Pxe: no DHCP offer", "running from disk: installed"]);
  });

  it("of an old Supermicro knows no mode", async () => {
    await use("supermicro-x10");
    expect(await boot()).not.toHaveProperty("BootSourceOverrideMode");
    const refused = await arm({ BootSourceOverrideTarget: "Pxe", BootSourceOverrideMode: "UEFI" });
    expect([refused.status, refused.text.includes("PropertyUnknown")]).toEqual([400, true]);
    expect((await arm({ BootSourceOverrideTarget: "Pxe" })).status).toBe(204);
  });

  it("of HPE refuses the order, and of Dell can be written to the settings object", async () => {
    await use("hpe-ilo5");
    expect((await arm({ BootOrder: ["Boot0002"] })).status).toBe(400);
    await use("dell-idrac9");
    const settings = await call("PATCH", `${system}/Settings`, { body: { Boot: { BootSourceOverrideTarget: "Pxe" } } });
    expect(settings.status).toBe(204);
    expect(await boot()).toMatchObject({ BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Pxe" });
  });
});
