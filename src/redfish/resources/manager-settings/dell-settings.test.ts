import { describe, expect, it } from "vitest";
import { collection, link, resource, type Tree, withTree } from "../../testing/tree-bmc.ts";
import { openManagerSettings } from "./manager-settings.ts";

const settingsObject = (path: string) => ({ "@Redfish.Settings": { SettingsObject: link(path) } });
const manager = resource("/m", { Links: { Oem: { Dell: { DellAttributes: [link("/a"), link("/b")] } } } });
const tree = (second: Record<string, unknown>): Tree => ({
  "/a": { Attributes: { "Web.1.Timeout": 5 }, ...settingsObject("/a/s") },
  "/a/s": { Attributes: { "Web.1.Timeout": 7 } },
  "/b": second,
  "/r": collection("/r/m"),
  "/r/m": { Id: "ManagerAttributeRegistry.v1", Location: [{ Uri: "/registry" }] },
  "/registry": {
    RegistryEntries: {
      Attributes: ["Web.1.Timeout", "Power.1.Cap"].map((AttributeName) => ({ AttributeName, Type: "Integer" })),
    },
  },
});
const quirks = { managerAttributes: "dell" } as const;

describe("Dell's manager attributes", () => {
  it("are written to the resource that has them, each through its settings object or itself", () =>
    withTree({ quirks, tree: tree({ Attributes: { "Power.1.Cap": 1 } }) }, async ({ service, writes }) => {
      const settings = await openManagerSettings(service, manager, "/r");
      if (!settings.ok) throw new Error(settings.failure.message);
      expect(await settings.value.pending()).toEqual({ ok: true, value: { "Web.1.Timeout": 7 } });
      await settings.value.write({ "Web.1.Timeout": 9, "Power.1.Cap": 2 });
      const now = { "@Redfish.SettingsApplyTime": { ApplyTime: "Immediate" } };
      expect(writes).toEqual([
        { method: "PATCH", path: "/a/s", body: { Attributes: { "Web.1.Timeout": 9 }, ...now } },
        { method: "PATCH", path: "/b", body: { Attributes: { "Power.1.Cap": 2 }, ...now } },
      ]);
    }));

  it("claimed by two resources are not touched", () =>
    withTree({ quirks, tree: tree({ Attributes: { "Web.1.Timeout": 1 } }) }, async ({ service }) => {
      const message = expect.stringContaining("Web.1.Timeout is in /a and in /b");
      expect(await openManagerSettings(service, manager, "/r")).toMatchObject({ failure: { message } });
    }));

  it("that do not exist are said to be missing, by name", () =>
    withTree({ quirks, tree: tree({}) }, async ({ service }) => {
      const settings = await openManagerSettings(service, manager, "/r");
      const read = settings.ok ? await settings.value.read({ "Web.1.Timeout": 1, "No.1.Such": 1 }) : settings;
      expect(read).toMatchObject({ failure: { code: "NotFound", message: expect.stringContaining("No.1.Such") } });
    }));
});
