import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "./json-schema.ts";
import { pruneResource } from "./prune.ts";
import { compileNode, type JsonObject } from "./schema-node.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        known: { type: "string" },
        list: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
        map: { type: "object", additionalProperties: { type: "object", properties: { a: { type: "string" } } } },
        open: {
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: { strict: { type: "object", properties: { a: { type: "string" } } } },
        },
        openList: {
          type: "array",
          "x-kubernetes-preserve-unknown-fields": true,
          items: { type: "object", properties: { a: { type: "string" } } },
        },
        anything: { type: "object", additionalProperties: true },
        embedded: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: { type: "object" } } },
      },
    },
  },
};

function prune(spec: JsonObject): { spec: unknown; paths: string[] } {
  const object: JsonObject = { apiVersion: "v1", kind: "A", metadata: { name: "x", whatever: 1 }, spec };
  const paths = pruneResource(object, compileNode(schema));
  expect(object.metadata).toEqual({ name: "x", whatever: 1 });
  return { spec: object.spec, paths };
}

describe("pruning", () => {
  it.each<[string, JsonObject, JsonObject, string[]]>([
    ["unknown fields", { known: "a", other: 1 }, { known: "a" }, ["spec.other"]],
    [
      "items of lists",
      { list: [{ a: "x", b: 1 }, { c: 1 }] },
      { list: [{ a: "x" }, {}] },
      ["spec.list[0].b", "spec.list[1].c"],
    ],
    ["values of maps", { map: { k: { a: "x", b: 1 } } }, { map: { k: { a: "x" } } }, ["spec.map.k.b"]],
    [
      "below a preserved object only what is described",
      { open: { x: { y: 1 }, strict: { a: "x", b: 1 } } },
      { open: { x: { y: 1 }, strict: { a: "x" } } },
      ["spec.open.strict.b"],
    ],
    [
      "nothing in preserved lists",
      { openList: [{ a: "x", b: { c: 1 } }] },
      { openList: [{ a: "x", b: { c: 1 } }] },
      [],
    ],
    [
      "objects below additionalProperties: true",
      { anything: { a: { b: 1 }, c: 2 } },
      { anything: { a: {}, c: 2 } },
      ["spec.anything.a.b"],
    ],
    [
      "unknown metadata of embedded resources",
      { embedded: { apiVersion: "v1", kind: "B", metadata: { name: "b", odd: 1 }, spec: {}, status: {} } },
      { embedded: { apiVersion: "v1", kind: "B", metadata: { name: "b" }, spec: {} } },
      ["spec.embedded.metadata.odd", "spec.embedded.status"],
    ],
    [
      "names that JavaScript objects have by themselves",
      { constructor: 1, toString: 2, known: "a" },
      { known: "a" },
      ["spec.constructor", "spec.toString"],
    ],
  ])("removes %s", (_, spec, kept, paths) => {
    expect(prune(spec)).toEqual({ spec: kept, paths });
  });

  it("drops unknown fields of the root, and keeps its metadata", () => {
    const object: JsonObject = { kind: "A", foo: 1 };
    expect(pruneResource(object, compileNode(schema))).toEqual(["foo"]);
    expect(object).toEqual({ kind: "A" });
  });

  it("is done after once, whatever the data", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("spec", "foo", "kind"), fc.jsonValue()), (data) => {
        const object = structuredClone(data) as JsonObject;
        const node = compileNode(schema);
        pruneResource(object, node);
        const once = JSON.stringify(object);
        expect(pruneResource(object, node)).toEqual([]);
        expect(JSON.stringify(object)).toBe(once);
      }),
    );
  });
});
