import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFieldError } from "../field-error.ts";
import { compileSchema } from "./compile.ts";
import { checkCustomResourceDefinition } from "./crd-check.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { JsonObject } from "./schema-node.ts";

const withSpecAndStatus = compileSchema({
  type: "object",
  required: ["spec"],
  properties: {
    spec: { type: "object", properties: { size: { type: "integer", maximum: 5 } } },
    status: { type: "object", properties: { ready: { type: "boolean" } } },
  },
  "x-kubernetes-validations": [
    { rule: "!has(self.status) || !has(self.status.ready) || self.spec.size > 0", message: "ready needs a size" },
  ],
});

const texts = (object: JsonObject, old?: JsonObject): string[] =>
  withSpecAndStatus.validate(object, old).map(formatFieldError);

describe("an update of status", () => {
  it("is judged by status alone, and by the rules", () => {
    const old = { spec: { size: 9 } };
    expect(withSpecAndStatus.validateStatus({ ...old, status: { ready: 5 } }, old).map(formatFieldError)).toEqual([
      'status.ready: Invalid value: "integer": status.ready in body must be of type boolean: "integer"',
      "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
    ]);
    expect(withSpecAndStatus.validateStatus({ ...old, status: { ready: true } }, old)).toEqual([]);
    expect(
      withSpecAndStatus.validateStatus({ spec: { size: 0 }, status: { ready: true } }, old).map(formatFieldError),
    ).toEqual(["<nil>: Invalid value: ready needs a size"]);
  });
});

describe("an update", () => {
  it("may keep what was wrong before, and nothing else", () => {
    const refused = ["spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5"];
    expect(texts({ spec: { size: 9 } })).toEqual(refused);
    expect(texts({ spec: { size: 9 }, status: { ready: true } }, { spec: { size: 9 } })).toEqual([]);
    expect(texts({ spec: { size: 9 } }, { spec: { size: 8 } })).toEqual(refused);
    expect(texts({}, {})).toEqual([]);
    expect(texts({}, { spec: {} })[0]).toBe("spec: Required value");
  });
});

const leaf = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom("string", "object", "array", "integer", true, 1, -1, "(", "map", "self", "self.a > 1", "^a"),
);
const keyword = fc.constantFrom(
  "type",
  "format",
  "default",
  "enum",
  "maximum",
  "minimum",
  "multipleOf",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "maxProperties",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-int-or-string",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-preserve-unknown-fields",
  "nullable",
);
const rules = fc.array(
  fc.record({ rule: fc.oneof(fc.string(), fc.constantFrom("self.a == 1", "self == oldSelf", "self.all(x, x > 1)")) }),
  { maxLength: 2 },
);
const keywords = fc.tuple(fc.dictionary(keyword, leaf, { maxKeys: 4 }), rules).map(
  ([found, list]): JsonSchema => ({
    type: "object",
    ...found,
    ...(list.length > 0 && { "x-kubernetes-validations": list }),
  }),
);
const names = fc.constantFrom("a", "b", "spec", "metadata", "__proto__", "constructor");

/** Schemas of any keywords, at most three deep: generators that recurse freely do not end. */
function schemaOfDepth(depth: number): fc.Arbitrary<JsonSchema> {
  if (depth === 0) return keywords;
  const child = schemaOfDepth(depth - 1);
  const nested = fc.record(
    {
      properties: fc.dictionary(names, child, { maxKeys: 3 }),
      items: child,
      additionalProperties: fc.oneof(fc.boolean(), child),
      anyOf: fc.array(child, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  return fc.tuple(keywords, nested).map(([own, below]) => ({ ...own, ...below }));
}

const anySchema = schemaOfDepth(3);

describe("hostile schemas and objects", () => {
  it("are refused or accepted, and never break anything", () => {
    fc.assert(
      fc.property(anySchema, fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (schema, value, old) => {
        const crd = {
          metadata: { name: "as.b.c" },
          spec: {
            group: "b.c",
            scope: "Cluster",
            names: { plural: "as", kind: "A" },
            versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
          },
        };
        expect(Array.isArray(checkCustomResourceDefinition(crd))).toBe(true);
        const compiled = compileSchema(schema);
        const object = { kind: "A", spec: value } as JsonObject;
        compiled.prune(object);
        compiled.applyDefaults(object);
        expect(Array.isArray(compiled.validate(object))).toBe(true);
        expect(Array.isArray(compiled.validate(object, { kind: "A", spec: old }))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
