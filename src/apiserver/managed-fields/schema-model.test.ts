import { describe, expect, it } from "vitest";
import { builtinModel, objectMetaModel } from "../builtins/type-models.ts";
import type { JsonObject } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { reconcileWithModel } from "./reconcile.ts";
import { modelFromSchema } from "./schema-model.ts";
import { toFieldSet } from "./to-field-set.ts";
import type { TypeModel } from "./type-model.ts";

const modelOf = (spec: JsonObject): TypeModel =>
  modelFromSchema({ type: "object", properties: { spec } }, objectMetaModel());
const fields = (spec: JsonObject, value: JsonObject): JsonObject =>
  toFieldSet({ spec: value }, modelOf(spec)).toFieldsV1();
const text: JsonObject = { type: "string" };

describe("modelFromSchema", () => {
  it.each([
    [
      "a struct, field by field",
      { type: "object", properties: { a: text, b: text } },
      { a: "1", b: "2" },
      { "f:spec": { "f:a": {}, "f:b": {} } },
    ],
    [
      "an atomic struct, as one",
      { type: "object", properties: { a: text }, "x-kubernetes-map-type": "atomic" },
      { a: "1" },
      { "f:spec": {} },
    ],
    ["a free map, key by key", { type: "object", additionalProperties: text }, { a: "1" }, { "f:spec": { "f:a": {} } }],
    [
      "data without a schema, down to its lists",
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      { a: { b: [1] } },
      { "f:spec": { "f:a": { ".": {}, "f:b": {} } } },
    ],
    [
      "fields beside known ones, when preserved",
      { type: "object", properties: { a: text }, "x-kubernetes-preserve-unknown-fields": true },
      { z: 1 },
      { "f:spec": { "f:z": {} } },
    ],
    [
      "descendants of what is preserved",
      {
        type: "object",
        "x-kubernetes-preserve-unknown-fields": true,
        properties: { n: { type: "object", properties: { a: text } } },
      },
      { n: { q: 1 } },
      { "f:spec": { "f:n": { "f:q": {} } } },
    ],
    [
      "a list without a type, as one",
      { type: "object", properties: { l: { type: "array", items: text } } },
      { l: ["a"] },
      { "f:spec": { "f:l": {} } },
    ],
    [
      "either a number or text",
      { type: "object", properties: { e: { "x-kubernetes-int-or-string": true } } },
      { e: "1" },
      { "f:spec": { "f:e": {} } },
    ],
    [
      "an embedded resource, with its metadata",
      {
        type: "object",
        properties: { r: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: text } } },
      },
      { r: { kind: "K", metadata: { finalizers: ["f"] } } },
      { "f:spec": { "f:r": { "f:kind": {}, "f:metadata": { "f:finalizers": { 'v:"f"': {} } } } } },
    ],
  ] as [string, JsonObject, JsonObject, JsonObject][])("owns %s", (_, schema, value, expected) => {
    expect(fields(schema, value)).toEqual(expected);
  });

  it("fills a missing list key with its default", () => {
    const items = { type: "object", properties: { name: text, port: { type: "integer", default: 80 } } };
    const list = {
      type: "array",
      items,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "port"],
    };
    expect(fields({ type: "object", properties: { l: list } } as JsonObject, { l: [{ name: "a" }] })).toEqual({
      "f:spec": { "f:l": { 'k:{"name":"a","port":80}': { ".": {}, "f:name": {} } } },
    });
  });
});

describe("reconcileWithModel", () => {
  const granular = FieldSet.of(
    ["f:spec", "f:m", "f:a"],
    ["f:spec", "f:m"],
    ["f:spec", "f:l", 'v:"x"'],
    ["f:spec", "f:t"],
  );
  const schema = (kind: "atomic" | "granular"): JsonObject => ({
    type: "object",
    properties: {
      m: { type: "object", additionalProperties: text, "x-kubernetes-map-type": kind },
      l: { type: "array", items: text, "x-kubernetes-list-type": kind === "atomic" ? "atomic" : "set" },
      t: text,
    },
  });

  it("collapses what has become atomic", () => {
    expect(reconcileWithModel(granular, modelOf(schema("atomic"))).toFieldsV1()).toEqual({
      "f:spec": { "f:l": {}, "f:m": {}, "f:t": {} },
    });
  });

  it("leaves a set that fits as it is", () => {
    expect(reconcileWithModel(granular, modelOf(schema("granular")))).toBe(granular);
  });
});

describe("builtinModel", () => {
  it("knows lists by key with defaults, atomic maps and references", () => {
    const model = builtinModel("v1", "Service") as TypeModel;
    const service: JsonObject = {
      metadata: { ownerReferences: [{ uid: "u", name: "n" }] },
      spec: { ports: [{ port: 80 }], selector: { a: "b" } },
    };
    expect(toFieldSet(service, model).toFieldsV1()).toEqual({
      "f:metadata": { "f:ownerReferences": { 'k:{"uid":"u"}': {} } },
      "f:spec": { "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {} } }, "f:selector": {} },
    });
  });

  it("follows a schema into itself", () => {
    const model = builtinModel("apiextensions.k8s.io/v1", "CustomResourceDefinition") as TypeModel;
    expect(model.map?.fields.get("spec")?.type.map?.fields.has("versions")).toBe(true);
    expect(builtinModel("example.com/v1", "Widget")).toBeUndefined();
  });
});
