import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cloneJson, type JsonObject } from "../json.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { decodeJsonPatch } from "./json-patch-operations.ts";
import { PatchError } from "./patch-error.ts";

const apply = (object: JsonObject, steps: unknown): JsonObject =>
  applyJsonPatch(object, decodeJsonPatch(JSON.stringify(steps)).value);

const document: JsonObject = { a: { b: [1, 2, 3] }, "x/y": 1, "m~n": 2, n: null };

describe("applyJsonPatch", () => {
  it.each([
    ["adds a key", [{ op: "add", path: "/a/c", value: 1 }], { ...document, a: { b: [1, 2, 3], c: 1 } }],
    ["inserts into a list", [{ op: "add", path: "/a/b/1", value: 9 }], { ...document, a: { b: [1, 9, 2, 3] } }],
    ["appends with -", [{ op: "add", path: "/a/b/-", value: 9 }], { ...document, a: { b: [1, 2, 3, 9] } }],
    ["appends at -1", [{ op: "add", path: "/a/b/-1", value: 9 }], { ...document, a: { b: [1, 2, 3, 9] } }],
    ["removes the last", [{ op: "remove", path: "/a/b/-1" }], { ...document, a: { b: [1, 2] } }],
    ["replaces a missing key", [{ op: "replace", path: "/z", value: 1 }], { ...document, z: 1 }],
    ["replaces an item", [{ op: "replace", path: "/a/b/0", value: 7 }], { ...document, a: { b: [7, 2, 3] } }],
    ["replaces everything", [{ op: "replace", path: "", value: { q: 1 } }], { q: 1 }],
    ["moves", [{ op: "move", from: "/a/b/0", path: "/first" }], { ...document, a: { b: [2, 3] }, first: 1 }],
    ["copies", [{ op: "copy", from: "/a", path: "/c" }], { ...document, c: { b: [1, 2, 3] } }],
    ["copies nothing as null", [{ op: "copy", from: "/nope", path: "/c" }], { ...document, c: null }],
    [
      "unescapes",
      [
        { op: "remove", path: "/x~1y" },
        { op: "remove", path: "/m~0n" },
      ],
      { a: { b: [1, 2, 3] }, n: null },
    ],
    ["tests", [{ op: "test", path: "/a", value: { b: [1, 2, 3] } }], document],
    ["tests null for missing", [{ op: "test", path: "/nope", value: null }], document],
    ["adds null without a value", [{ op: "add", path: "/v" }], { ...document, v: null }],
    ["ignores the first segment", [{ op: "add", path: "ignored/v", value: 1 }], { ...document, v: 1 }],
  ])("%s", (_, steps, expected) => {
    const before = cloneJson(document);
    expect(apply(document, steps)).toEqual(expected);
    expect(document).toEqual(before);
  });

  it.each([
    ["a missing parent", [{ op: "add", path: "/z/y", value: 1 }]],
    ["a scalar parent", [{ op: "add", path: "/x~1y/y", value: 1 }]],
    ["a missing key to remove", [{ op: "remove", path: "/z" }]],
    ["an inherited key to remove", [{ op: "remove", path: "/constructor" }]],
    ["an index beyond the end", [{ op: "add", path: "/a/b/4", value: 1 }]],
    ["an index below the start", [{ op: "remove", path: "/a/b/-4" }]],
    ["a word as an index", [{ op: "replace", path: "/a/b/x", value: 1 }]],
    ["a failed test", [{ op: "test", path: "/n", value: 0 }]],
    ["the whole document", [{ op: "remove", path: "" }]],
    ["a missing path", [{ op: "add", value: 1 }]],
    ["a missing from", [{ op: "move", path: "/a" }]],
    ["an unknown operation", [{ op: "merge", path: "/a" }]],
    ["a scalar as the document", [{ op: "replace", path: "", value: 1 }]],
    ["the prototype", [{ op: "add", path: "/__proto__", value: {} }]],
  ])("refuses %s with a generic 422", (_, steps) => {
    expect(() => apply(document, steps)).toThrow(
      expect.objectContaining({
        code: 422,
        reason: "Invalid",
        message: "the server rejected our request due to an error in our request",
      }),
    );
  });

  it("stops copies that double the document over and over", () => {
    const steps = Array.from({ length: 40 }, (_, i) => ({ op: "copy", from: "/a", path: `/a/c${i}` }));
    expect(() => apply({ a: { text: "x".repeat(100) } }, steps)).toThrow(PatchError);
  });

  it("never throws anything but a PatchError", () => {
    const path = fc.array(fc.constantFrom("", "/", "a", "b", "0", "-1", "-", "~1", "x")).map((parts) => parts.join(""));
    const step = fc.record(
      {
        op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "z"),
        path,
        from: path,
        value: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        try {
          apply(document, steps);
        } catch (error) {
          if (!/__proto__/.test(String(error))) expect(error).toBeInstanceOf(PatchError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("decodeJsonPatch", () => {
  it.each([
    ["{}", "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"],
    ["[1]", "error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp"],
    [
      '[{"op":1}]',
      "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string",
    ],
    ["[", "error decoding patch: unexpected end of JSON input"],
  ])("refuses %s", (text, message) => {
    expect(() => decodeJsonPatch(text)).toThrow(expect.objectContaining({ code: 400, message }));
  });

  it("reports unknown and repeated fields", () => {
    expect(decodeJsonPatch('[{"op":"add","op":"add","path":"/a","vlaue":1}]').strictErrors).toEqual([
      'json patch duplicate field "[0].op"',
      'json patch unknown field "[0].vlaue"',
    ]);
  });

  it("bounds the number of steps", () => {
    const body = JSON.stringify(Array(10_001).fill({ op: "remove", path: "/a" }));
    expect(() => decodeJsonPatch(body)).toThrow("The allowed maximum operations in a JSON patch is 10000, got 10001");
  });
});
