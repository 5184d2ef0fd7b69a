import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { type Fleet, startFleet } from "./fleet.ts";
import type { Host } from "./host/host.ts";
import type { JsonObject } from "./json.ts";
import type { ProfileName } from "./profiles/profile.ts";
import { type Call, clientOf, type Received } from "./testing/redfish.ts";

let clock: VirtualClock;
let fleet: Fleet;
let call: Call;
let host: Host;

async function use(profile: ProfileName): Promise<void> {
  await fleet?.close();
  clock = new VirtualClock();
  fleet = await startFleet({ servers: 1, profile, clock });
  const [bmc] = fleet.bmcs;
  const found = fleet.control.bmcs[0]?.hosts[0];
  if (!bmc || !found) throw new Error("no BMC");
  call = clientOf(bmc);
  host = found;
}

beforeEach(() => use("generic"));
afterEach(() => fleet.close());

const restart = async (): Promise<void> => {
  host.reset(host.power === "On" ? "ForceRestart" : "On");
  await clock.advance(300_000);
};
const attributes = async (path: string) => (await call("GET", path)).body.Attributes as JsonObject;

describe("BIOS settings", () => {
  const write = (settings: string, values: JsonObject) =>
    call("PATCH", settings, { body: { Attributes: values, "@Redfish.SettingsApplyTime": { ApplyTime: "OnReset" } } });

  it("wait for a reset, except those that need none", async () => {
    const bios = `${host.path}/Bios`;
    expect((await write(`${bios}/Settings`, { AdminPhone: "112", ProcHyperthreading: "Disabled" })).status).toBe(204);
    expect(await attributes(bios)).toMatchObject({ AdminPhone: "112", ProcHyperthreading: "Enabled" });
    expect(await attributes(`${bios}/Settings`)).toEqual({ ProcHyperthreading: "Disabled" });
    await restart();
    expect(await attributes(bios)).toMatchObject({ ProcHyperthreading: "Disabled" });
    expect(await attributes(`${bios}/Settings`)).toEqual({});
  });

  it.each([
    ["an unknown name", { NoSuchThing: 1 }, "PropertyUnknown"],
    ["a read-only one", { SystemModelName: "x" }, "PropertyNotWritable"],
    ["one that another locks", { ProcTurboMode: "Disabled" }, "PropertyNotWritable"],
    ["a wrong type", { MaxCores: "64" }, "PropertyValueTypeError"],
    ["a display name", { BootMode: "UEFI" }, "PropertyValueNotInList"],
    ["a number out of bounds", { MaxCores: 4096 }, "PropertyValueOutOfRange"],
  ] as const)("refuse %s", async (_, values, message) => {
    const refused = await write(`${host.path}/Bios/Settings`, { ...values, ProcHyperthreading: "Disabled" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(message);
    expect(await attributes(`${host.path}/Bios/Settings`)).toEqual({});
  });

  it("unlock what the registry says depends on another", async () => {
    const settings = `${host.path}/Bios/Settings`;
    await write(settings, { PowerProfile: "Custom" });
    await restart();
    expect((await write(settings, { ProcTurboMode: "Disabled" })).status).toBe(204);
  });

  it("go back to their defaults", async () => {
    await write(`${host.path}/Bios/Settings`, { ProcHyperthreading: "Disabled" });
    await restart();
    await call("POST", `${host.path}/Bios/Actions/Bios.ResetBios`, { body: {} });
    await restart();
    expect(await attributes(`${host.path}/Bios`)).toMatchObject({ ProcHyperthreading: "Enabled" });
  });

  it("of Dell become a job that waits for the reset, and a second write is refused meanwhile", async () => {
    await use("dell-idrac9");
    const settings = `${host.path}/Bios/Settings`;
    const accepted = await write(settings, { LogicalProc: "Disabled" });
    expect([accepted.status, accepted.headers.location]).toEqual([202, "/redfish/v1/TaskService/Tasks/JID_BIOS_1"]);
    await clock.advance(600_000);
    const job = async () => (await call("GET", accepted.headers.location ?? "")).body.TaskState;
    expect(await job()).toBe("New");
    expect((await write(settings, { LogicalProc: "Enabled" })).status).toBe(400);
    await restart();
    expect(await job()).toBe("Completed");
  });

  it.each([
    ["hpe-ilo6", "Settings"],
    ["lenovo-xcc", "Pending"],
    ["supermicro-x12", "SD"],
  ] as const)("of %s mirror every current value in %s", async (profile, last) => {
    await use(profile);
    expect(await attributes(`${host.path}/Bios/${last}`)).toEqual(await attributes(`${host.path}/Bios`));
  });

  it("of HPE do not say that a reset is needed", async () => {
    await use("hpe-ilo6");
    const registry = (
      await call("GET", "/redfish/v1/Registries/BiosAttributeRegistryU54.v1_2_20/BiosAttributeRegistryU54.v1_2_20.json")
    ).text;
    expect(registry).toContain("ProcHyperthreading");
    expect(registry).not.toContain("ResetRequired");
  });
});

describe("manager attributes of Dell", () => {
  const group = "/redfish/v1/Managers/iDRAC.Embedded.1/Oem/Dell/DellAttributes/iDRAC.Embedded.1";
  beforeEach(() => use("dell-idrac9"));

  it("show display names, take value names, and wait for a restart where they must", async () => {
    expect(await attributes(group)).toMatchObject({
      "IPMILan.1.Enable": "Disabled",
      "NTPConfigGroup.1.NTPEnable": "Disabled",
    });
    const written = await call("PATCH", `${group}/Settings`, {
      body: { Attributes: { "IPMILan.1.Enable": "1", "NTPConfigGroup.1.NTPEnable": "1" } },
    });
    expect(written.status).toBe(204);
    expect(await attributes(group)).toMatchObject({
      "IPMILan.1.Enable": "Enabled",
      "NTPConfigGroup.1.NTPEnable": "Disabled",
    });
    await call("POST", "/redfish/v1/Managers/iDRAC.Embedded.1/Actions/Manager.Reset", {
      body: { ResetType: "GracefulRestart" },
    });
    await clock.advance(1);
    await expect(call("GET", group)).rejects.toThrow();
    await clock.advance(90_000);
    expect(await attributes(group)).toMatchObject({ "NTPConfigGroup.1.NTPEnable": "Enabled" });
  });

  it("refuse a display name", async () => {
    expect((await call("PATCH", group, { body: { Attributes: { "IPMILan.1.Enable": "Enabled" } } })).status).toBe(400);
  });
});

describe("firmware updates", () => {
  const update = (body: JsonObject): Promise<Received> =>
    call("POST", "/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate", { body });
  const bios = { ImageURI: "http://127.0.0.1/images/bios-9.8.7.bin" };

  it("stage a BIOS that takes effect at the next start", async () => {
    const accepted = await update(bios);
    expect(accepted.status).toBe(202);
    const monitor = accepted.headers.location ?? "";
    const before = host.biosVersion;
    await clock.advance(35_000);
    expect((await call("GET", monitor)).body).toMatchObject({ TaskState: "Running", PercentComplete: 10 });
    await clock.advance(60_000);
    expect((await call("GET", monitor)).body).toMatchObject({ TaskState: "Completed", PercentComplete: 100 });
    expect(host.biosVersion).toBe(before);
    expect((await call("GET", "/redfish/v1/UpdateService/FirmwareInventory/BIOS-Staged")).body.Version).toBe("9.8.7");
    await restart();
    expect((await call("GET", host.path)).body.BiosVersion).toBe("9.8.7");
    expect((await call("GET", "/redfish/v1/UpdateService/FirmwareInventory/BIOS-Staged")).status).toBe(404);
  });

  it("of the BMC restart it", async () => {
    await update({ ImageURI: "http://127.0.0.1/bmc-2.0.1.bin" });
    await clock.advance(70_000);
    await expect(call("GET", host.path)).rejects.toThrow();
    await clock.advance(90_000);
    expect((await call("GET", "/redfish/v1/Managers/BMC")).body.FirmwareVersion).toBe("2.0.1");
  });

  it("fail at 99 % when a fault says so, and change nothing", async () => {
    fleet.control.inject({ kind: "task-fails" });
    const { headers } = await update(bios);
    await clock.advance(120_000);
    expect((await call("GET", headers.location ?? "")).body).toMatchObject({
      TaskState: "Exception",
      PercentComplete: 99,
      TaskStatus: "Critical",
    });
    expect(host.stagedBios).toBeUndefined();
  });

  it("stick until the fault is gone", async () => {
    const fault = fleet.control.inject({ kind: "task-stuck" });
    const { headers } = await update(bios);
    await clock.advance(3_600_000);
    expect((await call("GET", headers.location ?? "")).body).toMatchObject({
      TaskState: "Running",
      PercentComplete: 10,
    });
    fleet.control.clear(fault.id);
    await clock.advance(60_000);
    expect((await call("GET", headers.location ?? "")).body.TaskState).toBe("Completed");
  });

  it("of Dell have a job id, and the staged image is listed as Staged", async () => {
    await use("dell-idrac9");
    const { headers } = await update(bios);
    expect(headers.location).toMatch(/^\/redfish\/v1\/TaskService\/Tasks\/JID_\d{12}$/);
    await clock.advance(90_000);
    const { Members: members } = (await call("GET", "/redfish/v1/UpdateService/FirmwareInventory?$expand=.")).body;
    const staged = (members as JsonObject[]).find(({ Status }) => (Status as JsonObject).State === "Staged");
    expect(staged).toMatchObject({ Name: "BIOS", Version: "9.8.7" });
  });

  it("of HPE name the monitor in the body, and the monitor ends as an error that is none", async () => {
    await use("hpe-ilo6");
    const { body } = await update(bios);
    const monitor = String(body.TaskMonitor);
    await clock.advance(90_000);
    const over = (await call("GET", monitor)).body;
    expect(over.TaskState).toBeUndefined();
    expect(JSON.stringify(over)).toContain("iLO.2.25.Success");
  });

  it("of Lenovo end at once and point to a job", async () => {
    await use("lenovo-xcc");
    const { body, headers } = await update(bios);
    expect(headers.location).toBeUndefined();
    const task = (await call("GET", String(body["@odata.id"]))).body;
    const [message] = task.Messages as JsonObject[];
    expect(task.TaskState).toBe("Completed");
    expect(message?.MessageId).toContain("OperationTransitionedToJob");
    const [job = ""] = (message?.MessageArgs ?? []) as string[];
    expect((await call("GET", job)).body.JobState).toBe("New");
    await clock.advance(90_000);
    expect((await call("GET", job)).body).toMatchObject({ JobState: "Completed", PercentComplete: 100 });
    expect((await call("GET", "/redfish/v1/UpdateService/FirmwareInventory/Firmware:UEFI-PENDING")).body.Version).toBe(
      "9.8.7",
    );
  });

  it("can be pushed and sent as a form", async () => {
    await use("openbmc");
    const pushed = await call("POST", "/redfish/v1/UpdateService/update", {
      raw: "bios-4.4.4.bin\n….",
      headers: { "content-type": "application/octet-stream" },
    });
    expect(pushed.status).toBe(202);
    await clock.advance(90_000);
    expect(host.stagedBios?.version).toBe("4.4.4");
    const parameters = JSON.stringify({ Targets: ["/redfish/v1/Managers/bmc"] });
    const form = [
      '--b\r\nContent-Disposition: form-data; name="UpdateParameters"\r\nContent-Type: application/json\r\n\r\n',
      `${parameters}\r\n--b\r\nContent-Disposition: form-data; name="UpdateFile"; filename="image-5.5.5.tar"\r\n\r\nbytes\r\n--b--\r\n`,
    ].join("");
    const sent = await call("POST", "/redfish/v1/UpdateService/update-multipart", {
      raw: form,
      headers: { "content-type": "multipart/form-data; boundary=b" },
    });
    expect(sent.status).toBe(202);
    await clock.advance(200_000);
    expect(fleet.control.bmcs[0]?.firmwareVersion).toBe("5.5.5");
  });
});

describe("virtual media", () => {
  const medium = async (): Promise<string> => {
    const owner = (await call("GET", "/redfish/v1/Managers")).body.Members as JsonObject[];
    const manager = (await call("GET", String(owner[0]?.["@odata.id"]))).body;
    const under = manager.VirtualMedia ? manager : (await call("GET", host.path)).body;
    const list = (await call("GET", String((under.VirtualMedia as JsonObject)["@odata.id"]))).body
      .Members as JsonObject[];
    return String(list[0]?.["@odata.id"]).replace(/\/$/, "");
  };
  const insert = async (image: string) =>
    call("POST", `${await medium()}/Actions/VirtualMedia.InsertMedia`, { body: { Image: image } });
  const eject = async () => call("POST", `${await medium()}/Actions/VirtualMedia.EjectMedia`, { body: {} });

  it.each(["generic", "dell-idrac9", "hpe-ilo5", "lenovo-xcc", "supermicro-x12", "openbmc"] as const)(
    "of %s is inserted and ejected",
    async (profile) => {
      await use(profile);
      expect((await insert("http://127.0.0.1/boot.iso")).status).toBe(204);
      expect((await call("GET", await medium())).body).toMatchObject({
        Inserted: true,
        Image: "http://127.0.0.1/boot.iso",
        ImageName: "boot.iso",
      });
      expect((await eject()).status).toBe(204);
      expect((await call("GET", await medium())).body).toMatchObject({ Inserted: false, Image: null });
    },
  );

  it("of Dell refuses to insert twice and to eject nothing; others replace and shrug", async () => {
    await use("dell-idrac9");
    await insert("http://127.0.0.1/a.iso");
    expect((await insert("http://127.0.0.1/b.iso")).status).toBe(500);
    await eject();
    expect((await eject()).status).toBe(500);
    await use("openbmc");
    await insert("http://127.0.0.1/a.iso");
    expect((await insert("http://127.0.0.1/b.iso")).status).toBe(204);
    await eject();
    expect((await eject()).status).toBe(204);
  });
});

describe("secure erase", () => {
  it("takes what a tenant wrote, and fails when a fault says so", async () => {
    await use("openbmc");
    host.disks.write(3, { bytes: "data", bootable: false });
    host.disks.write(4, { bytes: "data", bootable: false });
    fleet.control.inject({ kind: "wipe-fails", drive: 4 });
    const erase = (drive: string) =>
      call("POST", `${host.path}/Storage/1/Drives/${drive}/Actions/Drive.SecureErase`, { body: {} });
    expect((await erase("nvme2")).status).toBe(202);
    const failing = await erase("nvme3");
    await clock.advance(70_000);
    expect(host.disks.dirty()).toEqual([4]);
    expect((await call("GET", failing.headers.location ?? "")).body.TaskState).toBe("Exception");
  });
});

describe("health", () => {
  it("rolls up from a failing fan and a failing disk, and the log tells", async () => {
    fleet.control.inject({ kind: "fan-failing" });
    fleet.control.inject({ kind: "disk-failing", drive: 2 });
    expect((await call("GET", host.path)).body.Status).toMatchObject({ HealthRollup: "Critical" });
    const thermal = (await call("GET", "/redfish/v1/Chassis/1/Thermal")).body;
    expect((thermal.Fans as JsonObject[])[0]).toMatchObject({ Reading: 0, Status: { Health: "Critical" } });
    expect((await call("GET", `${host.path}/Storage/1/Drives/2`)).body).toMatchObject({ FailurePredicted: true });
    expect((await call("GET", `${host.path}/Storage/1/Drives/1`)).body).toMatchObject({ FailurePredicted: false });
    const entry = (await call("GET", `${host.path}/LogServices/SEL/Entries/1`)).body;
    expect(entry).toMatchObject({ Severity: "Critical", Message: "Fan 1 failed." });
    fleet.control.clear();
    expect((await call("GET", host.path)).body.Status).toMatchObject({ HealthRollup: "OK" });
  });
});
