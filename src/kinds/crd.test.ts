import { describe, expect, it } from "vitest";
import { crdOf } from "./crd.ts";
import { ageColumn, column, type KindDefinition, kind } from "./define-kind.ts";
import type { Schema } from "./schema.ts";
import * as Type from "./type.ts";

const base = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
  describe: "A widget.",
} as const;

const crd = (more: Partial<KindDefinition> = {}) => crdOf(kind({ ...base, ...more }));
const version = (more: Partial<KindDefinition> = {}) => crd(more).spec.versions[0];
const root = (more: Partial<KindDefinition> = {}) =>
  version(more)?.schema?.openAPIV3Schema as { required?: string[]; properties: Record<string, unknown> };
const fieldSchema = (field: Schema) =>
  (root({ spec: Type.object("s", { field }) }).properties.spec as { properties: { field: unknown } }).properties.field;

describe("crdOf", () => {
  it("names the kind", () => {
    const { metadata, spec } = crd({ shortNames: ["w"], categories: ["all"] });
    expect(metadata.name).toBe("widgets.example.com");
    expect(spec).toMatchObject({ group: "example.com", scope: "Namespaced" });
    expect(spec.names).toEqual({
      kind: "Widget",
      listKind: "WidgetList",
      plural: "widgets",
      singular: "widget",
      shortNames: ["w"],
      categories: ["all"],
    });
  });

  it("leaves out what the definition does not say", () => {
    expect(crd().spec.names).not.toHaveProperty("shortNames");
    expect(Object.keys(version() ?? {})).toEqual(["name", "served", "storage", "schema", "subresources"]);
  });

  it("serves and stores the version, with a status of its own", () => {
    expect(version()).toMatchObject({ name: "v1", served: true, storage: true, subresources: { status: {} } });
  });

  it("carries the deprecation, columns and selectable fields", () => {
    const columns = [column("Size", ".spec.size", { type: "integer", priority: 1 }), ageColumn];
    expect(version({ deprecationWarning: "old", columns, selectableFields: [".spec.size"] })).toMatchObject({
      deprecated: true,
      deprecationWarning: "old",
      additionalPrinterColumns: [
        { name: "Size", type: "integer", jsonPath: ".spec.size", priority: 1 },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
      selectableFields: [{ jsonPath: ".spec.size" }],
    });
  });

  it("requires a spec only when told so, and says nothing about metadata", () => {
    const spec = Type.object("s", { a: Type.string("a") });
    expect(root({ spec }).required).toBeUndefined();
    expect(root({ spec, specRequired: true }).required).toEqual(["spec"]);
    expect(root().properties.metadata).toEqual({ type: "object" });
  });

  it("puts fields beside spec and status", () => {
    const { properties } = root({ fields: { data: Type.optional(Type.map("d", Type.string("v"))) } });
    expect(Object.keys(properties)).toEqual(["apiVersion", "kind", "metadata", "data"]);
  });
});

describe("a field in a CRD", () => {
  it.each<[string, Schema, unknown]>([
    [
      "word without its values",
      Type.word("d", ["A"], { default: "A" }),
      { description: "d", type: "string", default: "A" },
    ],
    ["choice", Type.choice("d", ["A"]), { description: "d", type: "string", enum: ["A"] }],
    ["ours, unmarked", Type.added(Type.boolean("d")), { description: "d", type: "boolean" }],
    ["deprecated, unmarked", Type.deprecated(Type.boolean("d"), "x"), { description: "d", type: "boolean" }],
    [
      "immutable",
      Type.immutable(Type.string("d"), "d is immutable"),
      {
        description: "d",
        type: "string",
        "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "d is immutable" }],
      },
    ],
    ["time", Type.time("d"), { description: "d", type: "string", format: "date-time" }],
    [
      "local reference",
      Type.localObjectReference("d"),
      {
        description: "d",
        type: "object",
        "x-kubernetes-map-type": "atomic",
        properties: { name: { description: expect.any(String), type: "string", default: "" } },
      },
    ],
    [
      "quantity",
      Type.quantity("d"),
      {
        description: "d",
        anyOf: [{ type: "integer" }, { type: "string" }],
        pattern: expect.any(String),
        "x-kubernetes-int-or-string": true,
      },
    ],
  ])("%s", (_, field, expected) => {
    expect(fieldSchema(field)).toEqual(expected);
  });

  it("reads from the sentence down to the nesting", () => {
    const schema = fieldSchema(
      Type.immutable(Type.object("d", { a: Type.string("a") }, { default: {} }), "m"),
    ) as object;
    expect(Object.keys(schema)).toEqual([
      "description",
      "type",
      "default",
      "required",
      "x-kubernetes-validations",
      "properties",
    ]);
  });

  it("holds no key of ours, however deep", () => {
    const item = Type.object("i", { state: Type.added(Type.word("s", ["A"], { added: ["A"] })) });
    const text = JSON.stringify(crd({ spec: Type.object("s", { l: Type.list("l", item), m: Type.map("m", item) }) }));
    expect(text).not.toContain("~");
  });
});
