import { afterEach, describe, expect, it } from "vitest";
import { profileNames } from "#fleet";
import {
  ejectMedia,
  indicatorState,
  insertMedia,
  offeredResetTypes,
  powerStateOf,
  resetManager,
  resetSystem,
  setBootOrder,
  setBootOverride,
  setIndicator,
  virtualMediumOf,
} from "#redfish";
import { eventually, got, powerBecomes, type Rig, rigOf } from "./bench-rig.ts";

let rig: Rig;
afterEach(() => rig?.close());

describe.each(profileNames)("%s", (profile) => {
  it("is switched on and off, and told nothing when it is so already", async () => {
    rig = await rigOf(profile);
    const { service } = rig;
    expect(got(await resetSystem(service, await rig.readSystem(), "On"))).toMatchObject({ sent: true });
    await powerBecomes(rig, "On");
    expect(rig.fleet.control.bmcs[0]?.hosts[0]?.power).toBe("On");
    expect(got(await resetSystem(service, await rig.readSystem(), "On"))).toEqual({ sent: false });
    expect(got(await resetSystem(service, await rig.readSystem(), "ForceOff"))).toMatchObject({ sent: true });
    await powerBecomes(rig, "Off");
    const brief = got(await service.getOnly(rig.system.path, ["PowerState"]));
    expect(powerStateOf(brief.body)).toBe("Off");
    if (profile === "dell-idrac9" || profile === "openbmc") expect(brief.body).not.toHaveProperty("Processors");
  });

  it("is never sent a reset type it does not offer", async () => {
    rig = await rigOf(profile);
    const system = await rig.readSystem();
    const offered = got(await offeredResetTypes(rig.service, system)) ?? [];
    expect(offered).toContain("ForceOff");
    const before = rig.client.asked.filter(({ method }) => method === "POST").length;
    expect(await resetSystem(rig.service, system, "Suspend")).toMatchObject({ failure: { code: "NotSupported" } });
    expect(rig.client.asked.filter(({ method }) => method === "POST")).toHaveLength(before);
  });

  it("takes a one-time network boot, a persistent one, and none", async () => {
    rig = await rigOf(profile);
    const { service } = rig;
    const host = rig.fleet.control.bmcs[0]?.hosts[0];
    for (const override of [
      { target: "Pxe", lasts: "Once" },
      { target: "Hdd", lasts: "Continuous" },
    ] as const) {
      got(await setBootOverride(service, await rig.readSystem(), override));
      expect(host?.override).toMatchObject({ enabled: override.lasts, target: override.target });
    }
    got(await setBootOverride(service, await rig.readSystem(), { target: "None", lasts: "Disabled" }));
    expect(host?.override.enabled).toBe("Disabled");
    const nowhere = await setBootOverride(service, await rig.readSystem(), { target: "Moon", lasts: "Once" });
    expect(nowhere).toMatchObject({ failure: { code: "NotSupported" } });
  });

  it("boots over HTTP from an address, or says beforehand that it cannot", async () => {
    rig = await rigOf(profile);
    const httpBootUri = "http://boot.example/uki.efi";
    const armed = await setBootOverride(rig.service, await rig.readSystem(), {
      target: "UefiHttp",
      lasts: "Once",
      httpBootUri,
    });
    if (profile === "supermicro-x10") return expect(armed).toMatchObject({ failure: { code: "NotSupported" } });
    expect(got(armed).settings.httpBootUri).toBe(httpBootUri);
    expect(rig.fleet.control.bmcs[0]?.hosts[0]?.override).toMatchObject({ target: "UefiHttp", httpUri: httpBootUri });
  });

  it("has its boot order changed, or says beforehand that it cannot", async () => {
    rig = await rigOf(profile);
    const system = await rig.readSystem();
    const order = [...rig.system.boot.order].reverse();
    const set = await setBootOrder(rig.service, system, order);
    if (profile.startsWith("hpe") || profile === "supermicro-x10")
      return expect(set).toMatchObject({ failure: { code: "NotSupported" } });
    expect(got(set).order).toEqual(order);
    expect(await setBootOrder(rig.service, system, ["Boot9999"])).toMatchObject({ failure: { code: "Refused" } });
  });

  it("has an image inserted, replaced and ejected", async () => {
    rig = await rigOf(profile);
    const { service, introduction, system } = rig;
    const media = system.links.virtualMedia ?? introduction.managers[0]?.links.virtualMedia ?? "";
    const image = "http://images.example/live.iso";
    const medium = got(await insertMedia(service, media, { url: image }));
    expect(medium).toMatchObject({ inserted: true, image });
    const inserts = rig.client.asked.length;
    got(await insertMedia(service, media, { url: image }));
    expect(rig.client.asked.slice(inserts).every(({ method }) => method === "GET")).toBe(true);
    const other = got(await insertMedia(service, media, { url: "http://images.example/other.iso" }));
    const drive = got(await service.get(other.path));
    expect(got(await ejectMedia(service, drive))).toEqual({ changed: true });
    const empty = got(await service.get(other.path));
    expect(virtualMediumOf(service, empty).inserted).toBe(false);
    expect(got(await ejectMedia(service, empty))).toEqual({ changed: false });
  });

  it("has its light switched on and off", async () => {
    rig = await rigOf(profile);
    const { service } = rig;
    expect(got(await setIndicator(service, await rig.readSystem(), "Blinking"))).toEqual({ changed: true });
    expect(indicatorState(await rig.readSystem())).toBe("Blinking");
    expect(got(await setIndicator(service, await rig.readSystem(), "Blinking"))).toEqual({ changed: false });
    expect(got(await setIndicator(service, await rig.readSystem(), "Off"))).toEqual({ changed: true });
    expect(indicatorState(await rig.readSystem())).toBe("Off");
  });

  it("has its manager restarted, and the session is renewed by itself", async () => {
    rig = await rigOf(profile);
    got(await resetManager(rig.service, await rig.readManager()));
    await eventually(() => expect(rig.fleet.control.bmcs[0]?.lastReset).toBeDefined());
    await eventually(async () => expect(await rig.service.get(rig.system.path)).toMatchObject({ ok: true }));
  });
});
