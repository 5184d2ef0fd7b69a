import { afterEach, describe, expect, it } from "vitest";
import { profileNames } from "#fleet";
import {
  eraseDrive,
  pushUpdate,
  type RedfishService,
  readFirmwareInventory,
  readInventory,
  readTask,
  readUpdateService,
  Survey,
  simpleUpdate,
  stagedFirmware,
} from "#redfish";
import { eventually, got, type Rig, rigOf } from "./bench-rig.ts";
import { introduced } from "./counted-client.ts";

let rig: Rig;
afterEach(() => rig?.close());

const firmware = async () => readFirmwareInventory(new Survey(rig.service), rig.introduction.root.updateService);

async function ends(monitor: string, phase: "succeeded" | "failed"): Promise<void> {
  await eventually(async () => expect(got(await readTask(rig.service, monitor)).phase).toBe(phase));
}

describe.each(profileNames)("%s", (profile) => {
  it("fetches a BIOS image, installs it, and shows it as staged", async () => {
    rig = await rigOf(profile);
    const { service, introduction } = rig;
    const updates = got(await readUpdateService(service, introduction.root.updateService));
    const imageUri = "http://images.example/bios-9.9.9.bin";
    const { monitor } = got(await simpleUpdate(service, updates, { imageUri, component: "BIOS" }));
    await ends(monitor, "succeeded");
    expect(rig.fleet.control.bmcs[0]?.hosts[0]?.stagedBios?.version).toBe("9.9.9");
    const staged = stagedFirmware(service, "BIOS", await firmware());
    if (profile.startsWith("supermicro") || profile === "generic")
      expect(staged).toMatchObject({ failure: { code: "NotSupported" } });
    else expect(got(staged)).toMatchObject([{ version: "9.9.9" }]);
  });

  it("says when an update failed at 99 per cent", async () => {
    rig = await rigOf(profile);
    const { service, introduction } = rig;
    const updates = got(await readUpdateService(service, introduction.root.updateService));
    const { monitor } = got(await simpleUpdate(service, updates, { imageUri: "http://images.example/fail-1.2.3.bin" }));
    await ends(monitor, "failed");
    expect(rig.fleet.control.bmcs[0]?.hosts[0]?.stagedBios).toBeUndefined();
  });

  it("takes a pushed image where it offers to", async () => {
    rig = await rigOf(profile);
    const { service, introduction } = rig;
    const updates = got(await readUpdateService(service, introduction.root.updateService));
    const content = Buffer.concat([Buffer.from("bios-8.8.8.bin\n"), Buffer.alloc(200_000, 7)]);
    const pushed = await pushUpdate(service, updates, { fileName: "bios-8.8.8.bin", content });
    if (updates.multipartUri === undefined && updates.pushUri === undefined)
      return expect(pushed).toMatchObject({ failure: { code: "NotSupported" } });
    await ends(got(pushed).monitor, "succeeded");
    expect(rig.fleet.control.bmcs[0]?.hosts[0]?.stagedBios?.version).toBe("8.8.8");
  });

  it("erases exactly one drive, or says that it cannot", async () => {
    rig = await rigOf(profile);
    const { service } = rig;
    const inventory = got(await readInventory(service));
    const drive = inventory.inventories[0]?.storage[0]?.drives[0];
    if (!drive) throw new Error("no drive");
    const other = await eraseDrive(service, { ...drive, serialNumber: "another" });
    expect(other.ok).toBe(false);
    const erased = await eraseDrive(service, drive);
    if (drive.secureErase === undefined) return expect(erased).toMatchObject({ failure: { code: "NotSupported" } });
    await ends(got(erased).monitor ?? "", "succeeded");
  });
});

it("a task that stands still is running, not done", async () => {
  rig = await rigOf("dell-idrac9", { servers: 2 });
  rig.fleet.control.inject({ kind: "task-stuck" }, 0);
  const [, twin] = rig.fleet.bmcs;
  if (!twin) throw new Error("no second BMC");
  const healthy = await introduced(twin);
  const start = async (service: RedfishService): Promise<string> => {
    const updates = got(await readUpdateService(service, rig.introduction.root.updateService));
    return got(await simpleUpdate(service, updates, { imageUri: "http://images.example/bios-1.0.bin" })).monitor;
  };
  const [stuck, done] = [await start(rig.service), await start(healthy.service)];
  await eventually(async () => expect(got(await readTask(healthy.service, done)).phase).toBe("succeeded"));
  expect(got(await readTask(rig.service, stuck)).phase).toBe("running");
  await healthy.client.close();
});
