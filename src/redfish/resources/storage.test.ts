import { expect, it } from "vitest";
import { resource } from "../testing/tree-bmc.ts";
import { simpleStorageOf } from "./storage.ts";

it("SimpleStorage gives its devices as drives", () => {
  const body = { Devices: [{ Name: "sda", CapacityBytes: 1e12, Model: "X" }, "odd"] };
  expect(simpleStorageOf(resource("/ss", body)).drives).toMatchObject([{ name: "sda", capacityBytes: 1e12 }]);
});
