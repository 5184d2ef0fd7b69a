import { afterEach, describe, expect, it } from "vitest";
import { profileNames } from "#fleet";
import {
  checkBios,
  dropPendingBios,
  openManagerSettings,
  pendingBios,
  readBios,
  readBiosRegistry,
  readTask,
  resetBios,
  resetSystem,
  type Values,
  writeBios,
} from "#redfish";
import { eventually, got, powerBecomes, type Rig, rigOf } from "./bench-rig.ts";

let rig: Rig;
afterEach(() => rig?.close());

const withBios = profileNames.filter((name) => name !== "openbmc");

describe.each(withBios)("BIOS of %s", (profile) => {
  it("takes a change at the next restart, and shows it as pending until then", async () => {
    rig = await rigOf(profile);
    const { service, system, introduction } = rig;
    const bios = got(await readBios(service, system.links.bios));
    const registry = got(await readBiosRegistry(service, introduction.root.registries ?? "", bios));
    const cores = [...registry.attributes.values()].find(({ type, hidden }) => type === "Integer" && !hidden);
    const change = { [cores?.name ?? ""]: 12 };
    expect(checkBios(service, registry, bios, change)).toMatchObject({ problems: [], needsReset: true });
    const written = got(await writeBios(service, bios, change));
    expect(written.sent).toEqual(change);
    expect(got(await pendingBios(service, bios))).toEqual(change);
    got(await resetSystem(service, await rig.readSystem(), "On"));
    await powerBecomes(rig, "On");
    await eventually(async () => expect(got(await readBios(service, system.links.bios)).current).toMatchObject(change));
    const after = got(await readBios(service, system.links.bios));
    expect(got(await pendingBios(service, after))).toEqual({});
    expect(got(await writeBios(service, after, change))).toEqual({ sent: {} });
    if (written.monitor !== undefined) {
      const { monitor } = written;
      await eventually(async () => expect(got(await readTask(service, monitor))).toMatchObject({ phase: "succeeded" }));
    }
  });

  it("has every problem of a change told at once, and agrees with the BMC about them", async () => {
    rig = await rigOf(profile);
    const { service, system, introduction } = rig;
    const bios = got(await readBios(service, system.links.bios));
    const registry = got(await readBiosRegistry(service, introduction.root.registries ?? "", bios));
    const all = [...registry.attributes.values()];
    const locked = registry.dependencies[0]?.attribute ?? "";
    const wrong: Values = {
      [all.find(({ type }) => type === "Enumeration")?.name ?? ""]: "Sideways",
      [all.find(({ type }) => type === "Integer")?.name ?? ""]: 9_999,
      [all.find(({ readOnly }) => readOnly)?.name ?? ""]: "x",
      [all.find(({ hidden }) => hidden)?.name ?? ""]: 1,
      [locked]: "Disabled",
      NoSuchThing: 1,
    };
    const { problems } = checkBios(service, registry, bios, wrong);
    expect(problems.map(({ name }) => name).sort()).toEqual(Object.keys(wrong).sort());
    // Firmware does not refuse what it merely hides; we do, because nobody could have meant it.
    const refused = Object.entries(wrong).filter(([name]) => !registry.attributes.get(name)?.hidden);
    for (const [name, value] of refused) expect((await writeBios(service, bios, { [name]: value })).ok).toBe(false);
  });

  it("forgets what is pending, and goes back to the factory's settings", async () => {
    rig = await rigOf(profile);
    const { service, system, introduction } = rig;
    const bios = got(await readBios(service, system.links.bios));
    const registry = got(await readBiosRegistry(service, introduction.root.registries ?? "", bios));
    const cores =
      [...registry.attributes.values()].find(({ type, hidden }) => type === "Integer" && !hidden)?.name ?? "";
    got(await writeBios(service, bios, { [cores]: 12 }));
    got(await dropPendingBios(service, bios));
    expect(got(await pendingBios(service, bios))).toEqual({});
    expect((await resetBios(service, bios)).ok).toBe(true);
  });
});

it("a system without a BIOS resource says so", async () => {
  rig = await rigOf("openbmc");
  expect(await readBios(rig.service, rig.system.links.bios)).toMatchObject({ failure: { code: "NotSupported" } });
});

describe("manager settings", () => {
  it("of Dell are compared, checked and written by their names", async () => {
    rig = await rigOf("dell-idrac9");
    const settings = got(
      await openManagerSettings(rig.service, await rig.readManager(), rig.introduction.root.registries),
    );
    const wanted = { "WebServer.1.Timeout": 900, "IPMILan.1.Enable": "1", "NTPConfigGroup.1.NTPEnable": "Enabled" };
    expect(got(await settings.read(wanted))).toEqual({
      "WebServer.1.Timeout": 1800,
      "IPMILan.1.Enable": "0",
      "NTPConfigGroup.1.NTPEnable": "Disabled",
    });
    const checked = settings.check(wanted);
    expect(checked).toMatchObject({ problems: [], needsReset: true });
    expect(checked.values["NTPConfigGroup.1.NTPEnable"]).toBe("1");
    expect(settings.check({ "WebServer.1.Timeout": 99_999 }).problems).toHaveLength(1);
    got(await settings.write(checked.values));
    const again = got(
      await openManagerSettings(rig.service, await rig.readManager(), rig.introduction.root.registries),
    );
    expect(got(await again.read(wanted))).toMatchObject({ "WebServer.1.Timeout": 900, "IPMILan.1.Enable": "1" });
    expect(got(await again.pending())).toEqual({ "NTPConfigGroup.1.NTPEnable": "1" });
  });

  it.each(["hpe-ilo6", "lenovo-xcc"] as const)("of %s are properties named by method and address", async (profile) => {
    rig = await rigOf(profile);
    const manager = await rig.readManager();
    const settings = got(await openManagerSettings(rig.service, manager, rig.introduction.root.registries));
    const path = rig.introduction.managers[0]?.links.networkProtocol;
    const key = `PATCH ${path}`;
    const wanted = { [key]: '{"NTP":{"ProtocolEnabled":false}}' };
    expect(got(await settings.read(wanted))[key]).not.toBe(wanted[key]);
    got(await settings.write(wanted));
    expect(got(await settings.read(wanted))).toEqual(wanted);
    const wrong = { "DELETE /redfish/v1/x": "{}", "PATCH /redfish/v1/x": "not json", nonsense: "{}" };
    expect(settings.check(wrong).problems).toHaveLength(3);
  });
});
