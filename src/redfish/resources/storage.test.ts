import { describe, expect, it } from "vitest";
import { Survey } from "../protocol/survey.ts";
import { collection, link, resource, type Tree, withTree } from "../testing/tree-bmc.ts";
import { readStorage, simpleStorageOf } from "./storage.ts";

it("SimpleStorage gives its devices as drives", () => {
  const body = { Devices: [{ Name: "sda", CapacityBytes: 1e12, Model: "X" }, "odd"] };
  expect(simpleStorageOf(resource("/ss", body)).drives).toMatchObject([{ name: "sda", capacityBytes: 1e12 }]);
});

describe("storage of a system", () => {
  const links = { storage: "/st", simpleStorage: "/ss", chassis: [], managers: [] };
  const simple: Tree = { "/ss": collection("/ss/1"), "/ss/1": { Devices: [{ Name: "sda" }] } };
  const one = (drives: readonly string[]): Tree => ({
    "/st": collection("/st/1"),
    "/st/1": { Id: "1", Drives: drives.map(link), Volumes: link("/st/1/v") },
    "/st/1/v": collection("/st/1/v/1"),
    "/st/1/v/1": { Id: "1", RAIDType: "RAID1", Links: { Drives: [link("/d/1")] } },
    "/d/1": { Id: "1", SerialNumber: "S1" },
  });

  it.each([
    ["is what Storage has", { ...one(["/d/1"]), ...simple }, [["/d/1"], ["/st/1/v/1"]]],
    ["is SimpleStorage where Storage has no drives", { ...one([]), ...simple }, [["/ss/1#/Devices/0"], []]],
    ["is SimpleStorage where Storage is not there", simple, [["/ss/1#/Devices/0"], []]],
    ["is Storage without drives where nothing has any", one([]), [[], ["/st/1/v/1"]]],
    ["leaves out a drive that cannot be read", { ...one(["/d/1", "/d/2"]), ...simple }, [["/d/1"], ["/st/1/v/1"]]],
  ])("%s", (_, tree, [drives, volumes]) =>
    withTree({ tree: tree as Tree }, async ({ service }) => {
      const storages = await readStorage(new Survey(service), { links });
      expect(storages.flatMap((storage) => storage.drives.map(({ path }) => path))).toEqual(drives);
      expect(storages.flatMap((storage) => storage.volumes.map(({ path }) => path))).toEqual(volumes);
    }),
  );

  it.each([
    ["in the resource itself", { StorageControllers: [{ MemberId: "0", Model: "Old" }] }, ["Old"]],
    ["in a collection of their own", { Controllers: link("/co") }, ["New"]],
    [
      "in a collection that came expanded",
      { Controllers: { Members: [{ ...link("/co/9"), Model: "Here" }] } },
      ["Here"],
    ],
    ["nowhere", {}, []],
  ])("controllers are found %s", (_, storage, models) => {
    const tree = {
      "/st": collection("/st/1"),
      "/st/1": storage,
      "/co": collection("/co/1"),
      "/co/1": { Model: "New" },
    };
    return withTree({ tree }, async ({ service }) => {
      const [found] = await readStorage(new Survey(service), { links: { storage: "/st", chassis: [], managers: [] } });
      expect(found?.controllers.map(({ model }) => model)).toEqual(models);
    });
  });
});
