import { describe, expect, it } from "vitest";
import type { Reply } from "../protocol/scripted-bmc.ts";
import { link, resource, withTree } from "../testing/tree-bmc.ts";
import { type BootOverride, setBootOrder, setBootOverride } from "./boot.ts";

const SYSTEM = "/redfish/v1/Systems/1";
const boot = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  Boot: { BootSourceOverrideEnabled: "Disabled", BootSourceOverrideTarget: "None", ...more },
});

describe("what is written", () => {
  it.each<[string, Record<string, unknown>, BootOverride, Record<string, unknown>]>([
    [
      "no mode where none is reported",
      {},
      { target: "Pxe", lasts: "Once" },
      { BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Pxe" },
    ],
    [
      "no mode where it is set already",
      { BootSourceOverrideMode: "UEFI" },
      { target: "Pxe", lasts: "Once" },
      { BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Pxe" },
    ],
    [
      "the mode where another is set",
      { BootSourceOverrideMode: "Legacy" },
      { target: "Pxe", lasts: "Continuous" },
      { BootSourceOverrideEnabled: "Continuous", BootSourceOverrideTarget: "Pxe", BootSourceOverrideMode: "UEFI" },
    ],
    [
      "the address of an HTTP boot",
      {},
      { target: "UefiHttp", lasts: "Once", httpBootUri: "http://b/x.efi" },
      { BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "UefiHttp", HttpBootUri: "http://b/x.efi" },
    ],
    [
      "nothing but the end of an override",
      { BootSourceOverrideMode: "Legacy" },
      { target: "None", lasts: "Disabled" },
      { BootSourceOverrideEnabled: "Disabled" },
    ],
  ])("%s", (_, reported, override, Boot) =>
    withTree({ tree: { [SYSTEM]: boot(reported) } }, async ({ service, writes }) => {
      expect(await setBootOverride(service, resource(SYSTEM, boot(reported)), override)).toMatchObject({ ok: true });
      expect(writes.map(({ body }) => body)).toEqual([{ Boot }]);
    }),
  );
});

describe("firmware that does not do as told", () => {
  const override = { target: "Pxe", lasts: "Once" } as const;

  it("and says nothing is caught by reading back", () =>
    withTree(
      { tree: { [SYSTEM]: boot() }, behave: ({ method }) => (method === "PATCH" ? { status: 204 } : undefined) },
      async ({ service }) =>
        expect(await setBootOverride(service, resource(SYSTEM, boot()), override)).toMatchObject({
          failure: { code: "Refused", message: expect.stringContaining("without complaint and shows None") },
        }),
    ));

  it.each([
    ["refuses the system", { status: 400 }, true],
    ["has no PATCH there", { status: 405 }, true],
    ["is busy", { status: 503 }, false],
    ["does not know us", { status: 401 }, false],
  ] as readonly [string, Reply, boolean][])("%s: the settings object is tried is %s", (_, reply, tried) => {
    const system = { ...boot(), "@Redfish.Settings": { SettingsObject: link(`${SYSTEM}/Settings`) } };
    const tree = { [SYSTEM]: system, [`${SYSTEM}/Settings`]: {} };
    const behave = ({ method, path }: { method: string; path: string }): Reply | undefined =>
      method === "PATCH" && path === SYSTEM ? reply : undefined;
    return withTree({ tree, behave }, async ({ service, writes }) => {
      await setBootOverride(service, resource(SYSTEM, system), override);
      expect(writes.some(({ path }) => path.endsWith("/Settings"))).toBe(tried);
    });
  });

  it("a target that is not offered is not even sent", () => {
    const system = boot({ "BootSourceOverrideTarget@Redfish.AllowableValues": ["Hdd"] });
    return withTree({ tree: {} }, async ({ service, writes }) => {
      const outcome = await setBootOverride(service, resource(SYSTEM, system), override);
      expect(outcome).toMatchObject({ failure: { code: "NotSupported" } });
      expect(writes).toEqual([]);
    });
  });
});

it("a boot order is written with the override off, and read back", () => {
  const system = boot({ BootOrder: ["A", "B"] });
  return withTree({ tree: { [SYSTEM]: system } }, async ({ service, writes }) => {
    const set = await setBootOrder(service, resource(SYSTEM, system), ["B", "A"]);
    expect(set).toMatchObject({ ok: true, value: { order: ["B", "A"] } });
    expect(writes[0]?.body).toEqual({
      Boot: { BootSourceOverrideEnabled: "Continuous", BootSourceOverrideTarget: "None", BootOrder: ["B", "A"] },
    });
  });
});

it.each([
  ["of options it does not have", { BootOrder: ["A"] }, "Refused"],
  ["where none is shown", {}, "NotSupported"],
])("a boot order %s is not sent", (_, reported, code) =>
  withTree({ tree: {} }, async ({ service, writes }) => {
    const set = await setBootOrder(service, resource(SYSTEM, boot(reported)), ["Z"]);
    expect(set).toMatchObject({ failure: { code } });
    expect(writes).toEqual([]);
  }),
);
