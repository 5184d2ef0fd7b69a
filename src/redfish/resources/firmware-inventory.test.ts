import { expect, it } from "vitest";
import { Survey } from "../protocol/survey.ts";
import { collection, link, type Tree, withTree } from "../testing/tree-bmc.ts";
import { readFirmwareInventory } from "./firmware-inventory.ts";

const item = { "/fw/1": { Id: "BIOS", Version: "1.2" } };

interface Found {
  readonly ids: readonly string[];
  readonly asks: readonly string[];
}

it.each<[string, string | undefined, Tree, Found]>([
  [
    "in the usual place without asking the service",
    "/u",
    { "/u/FirmwareInventory": collection("/fw/1"), ...item },
    { ids: ["BIOS"], asks: ["/u/FirmwareInventory", "/fw/1"] },
  ],
  [
    "where the service says",
    "/u",
    { "/u": { FirmwareInventory: link("/f") }, "/f": collection("/fw/1"), ...item },
    { ids: ["BIOS"], asks: ["/u/FirmwareInventory", "/u", "/f", "/fw/1"] },
  ],
  ["nowhere", "/u", { "/u": {} }, { ids: [], asks: ["/u/FirmwareInventory", "/u"] }],
  ["nowhere without a service", undefined, {}, { ids: [], asks: [] }],
])("firmware is found %s", (_, path, tree, { ids, asks }) =>
  withTree({ tree }, async ({ service, asked }) => {
    await service.root();
    const before = asked.length;
    const survey = new Survey(service);
    expect((await readFirmwareInventory(survey, path)).map(({ id }) => id)).toEqual(ids);
    expect(asked.slice(before).map((one) => one.path)).toEqual(asks);
    expect(survey.problems).toEqual([]);
  }),
);
