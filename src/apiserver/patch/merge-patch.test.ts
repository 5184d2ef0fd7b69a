import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cloneJson, type Json, type JsonObject } from "../json.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { PatchError } from "./patch-error.ts";

const json = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, 1, "x", true),
    fc.array(tie("value"), { maxLength: 2 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
}));

const hasNull = (value: Json): boolean =>
  typeof value === "object" && value !== null && Object.values(value).some((item) => item === null || hasNull(item));

describe("applyMergePatch", () => {
  it.each([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 1 }, { a: [{ b: null }, null] }, { a: [{}, null] }],
    [{ a: { x: 1 } }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ] as [JsonObject, JsonObject, JsonObject][])("%j with %j is %j", (object, patch, expected) => {
    const before = cloneJson(object);
    expect(applyMergePatch(object, patch)).toEqual(expected);
    expect(object).toEqual(before);
  });

  it("refuses a patch that is not an object", () => {
    expect(() => applyMergePatch({}, [])).toThrow(PatchError);
    expect(() => applyMergePatch({}, null)).toThrow(PatchError);
  });

  it("is idempotent, and an empty patch changes nothing", () => {
    fc.assert(
      fc.property(json.object, json.object, (object, patch) => {
        // Upstream keeps the nulls of a list that replaces a map, and drops them when a list replaces that list.
        fc.pre(!JSON.stringify(patch).includes("["));
        const once = applyMergePatch(object, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
        expect(applyMergePatch(object, {})).toEqual(object);
      }),
    );
  });

  it("leaves a null only where one already was or inside a list", () => {
    fc.assert(
      fc.property(json.object, json.object, (object, patch) => {
        fc.pre(!hasNull(object) && !JSON.stringify(patch).includes("["));
        expect(hasNull(applyMergePatch(object, patch))).toBe(false);
      }),
    );
  });
});
