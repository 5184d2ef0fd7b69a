import { expect, it } from "vitest";
import { resource } from "../testing/tree-bmc.ts";
import { healthOf, managerHealth } from "./health.ts";
import type { SystemInventory } from "./inventory.ts";
import { managerOf } from "./manager.ts";
import { driveOf, type Storage } from "./storage.ts";
import { systemOf } from "./system.ts";

function machine(system: Record<string, unknown>, drive: Record<string, unknown> = {}): SystemInventory {
  const drives = [driveOf(resource("/d/1", { Id: "Bay1", ...drive }))];
  const storage: Storage = { path: "/st", controllers: [], drives, volumes: [], status: {} };
  const none = { processors: [], gpus: [], memory: [], networkInterfaces: [], chassis: [] };
  return { system: systemOf(resource("/s", system)), storage: [storage], ...none };
}

it.each([
  ["nothing reported", {}, {}, { overall: undefined, unwell: [] }],
  ["all well", { Status: { Health: "OK" } }, { Status: { Health: "OK" } }, { overall: "OK", unwell: [] }],
  [
    "a part that says so",
    {},
    { Status: { Health: "Critical" } },
    { overall: "Critical", unwell: [["Bay1", "Critical", "reported"]] },
  ],
  [
    "a drive that is well and predicts its end",
    { Status: { Health: "OK" } },
    { Status: { Health: "OK" }, FailurePredicted: true },
    { overall: "Warning", unwell: [["Bay1", "Warning", "failurePredicted"]] },
  ],
  ["only a rollup", { Status: { Health: "OK", HealthRollup: "Warning" } }, {}, { overall: "Warning", unwell: [] }],
])("%s", (_, system, drive, expected) => {
  const { overall, unwell } = healthOf(machine(system, drive));
  expect({ overall, unwell: unwell.map((one) => [one.name, one.health, one.reason]) }).toEqual(expected);
});

it("the manager's own health counts its rollup", () => {
  const managers = [managerOf(resource("/m", { Status: { Health: "OK", HealthRollup: "Critical" } }))];
  expect(managerHealth({ managers })).toBe("Critical");
});
