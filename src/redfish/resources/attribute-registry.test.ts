import { describe, expect, it } from "vitest";
import { collection, type Tree, withTree } from "../testing/tree-bmc.ts";
import { readRegistry, registryOf } from "./attribute-registry.ts";

const file = (Id: string, Uri: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  Id,
  Location: [
    { Language: "ja", Uri: "/ja.json" },
    { Language: "en", Uri },
  ],
  ...more,
});
const tree: Tree = {
  "/r": collection("/r/1", "/r/2", "/r/3", "/r/4"),
  "/r/1": file("Base.1.8", "/base.json"),
  "/r/2": file("BiosAttributeRegistryU30.v1", "/u30.json", { Registry: "BiosAttributeRegistryU30.v1" }),
  "/r/3": file("BiosAttributeRegistryU54.v1", "https://bmc.local/u54.json"),
  "/r/4": { Id: "NetworkAttributeRegistry" },
  "/u30.json": { Id: "U30", RegistryEntries: { Attributes: [{ AttributeName: "A" }] } },
  "/u54.json": { Id: "U54" },
};

describe("the registry of a resource", () => {
  it.each([
    ["is the one it names", { name: "BiosAttributeRegistryU30.v1", family: "BiosAttributeRegistry" }, "U30"],
    ["is the last of the family where it names none", { family: "BiosAttributeRegistry" }, "U54"],
    ["is the last of the family where the name is unknown", { name: "X", family: "BiosAttributeRegistry" }, "U54"],
    ["is not there where no file is of the family", { family: "Manager" }, "NotSupported"],
    ["is not there where the file has no place", { family: "NetworkAttributeRegistry" }, "NotSupported"],
  ])("%s", (_, wanted, expected) =>
    withTree({ tree }, async ({ service }) => {
      const found = await readRegistry(service, { registries: "/r", ...wanted });
      expect(found.ok ? found.value.id : found.failure.code).toBe(expected);
    }),
  );

  it("is read in English", () =>
    withTree({ tree }, async ({ service, asked }) => {
      await readRegistry(service, { registries: "/r", family: "BiosAttributeRegistry" });
      expect(asked.at(-1)?.path).toBe("/u54.json");
    }));
});

it("conditions join as they are listed", () => {
  const from = (MapFromAttribute: string, MapTerms?: string) => ({ MapFromAttribute, MapFromValue: 1, MapTerms });
  const body = {
    RegistryEntries: {
      Dependencies: [
        {
          Dependency: {
            MapFrom: [from("A"), from("B", "OR")],
            MapToAttribute: "C",
            MapToProperty: "Hidden",
            MapToValue: true,
          },
        },
        { Dependency: { MapFrom: [], MapToAttribute: "C", MapToProperty: "Hidden" } },
        { Dependency: "odd" },
      ],
    },
  };
  expect(registryOf(body).dependencies).toMatchObject([
    { attribute: "C", property: "Hidden", conditions: [{ joins: "AND", test: "EQU" }, { joins: "OR" }] },
  ]);
});
