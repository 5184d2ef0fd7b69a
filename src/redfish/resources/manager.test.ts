import { describe, expect, it } from "vitest";
import { resource } from "../testing/tree-bmc.ts";
import { chooseManager, managerOf } from "./manager.ts";

describe("the manager that speaks for a BMC", () => {
  const managers = [
    managerOf(resource("/m/2", { UUID: "B", GraphicalConsole: { MaxConcurrentSessions: 4 } })),
    managerOf(resource("/m/1", { UUID: "A" })),
    managerOf(resource("/m/3", { UUID: "C", GraphicalConsole: { ConnectTypesSupported: ["KVMIP"] } })),
  ];
  it.each([
    ["by UUID in any case", "a", "/m/1"],
    ["by its console", undefined, "/m/2"],
    ["nobody of that UUID", "z", undefined],
  ])("%s", (_, uuid, path) => expect(chooseManager(managers, uuid)?.path).toBe(path));

  it("is the first by address where none has a console", () =>
    expect(chooseManager([managerOf(resource("/m/9", {})), managerOf(resource("/m/8", {}))])?.path).toBe("/m/8"));
});
