import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeDifference, objectDifference } from "./merge-difference.ts";
import { merged } from "./tiny-api.ts";

test.each<[string, unknown, unknown, unknown]>([
  ["nothing", { a: 1, b: { c: [1] } }, { a: 1, b: { c: [1] } }, undefined],
  ["a value", { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
  ["a removed key", { a: { b: 1, c: 2 } }, { a: { c: 2 } }, { a: { b: null } }],
  ["a list, whole", { a: [1, 2] }, { a: [1, 2, 3] }, { a: [1, 2, 3] }],
  ["an emptied map", { a: { b: 1 } }, { a: {} }, { a: { b: null } }],
  ["an added empty map", {}, { a: {} }, { a: {} }],
  ["a map where a list was", { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
  ["undefined is absent", { a: 1 }, { a: undefined }, { a: null }],
  ["absent both times", { a: undefined }, { a: null }, undefined],
  ["nulls in what is added", {}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
])("%s", (_, before, after, expected) => {
  expect(mergeDifference(before, after)).toEqual(expected);
});

test("what the server owns is never sent, and a status patch has only status", () => {
  const metadata = { name: "a", resourceVersion: "1", generation: 1, labels: { x: "1" }, managedFields: [{}] };
  const before = { apiVersion: "v1", kind: "X", metadata, spec: { a: 1 }, status: { b: 1 } };
  const after = { metadata: { name: "a", labels: { x: "2" } }, spec: { a: 2 }, status: { b: 2 } };
  expect(objectDifference(before, after)).toEqual({
    metadata: { labels: { x: "2" } },
    spec: { a: 2 },
    status: { b: 2 },
  });
  expect(objectDifference(before, after, "status")).toEqual({ status: { b: 2 } });
  expect(objectDifference(before, { ...before, metadata: { name: "a", labels: { x: "1" } } })).toBeUndefined();
});

/** JSON without nulls, with keys that have burnt others. */
const key = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom("__proto__", "constructor", "toString", "a", "b"));
const { tree } = fc.letrec<{ tree: Record<string, unknown>; value: unknown }>((tie) => ({
  tree: fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map((pairs) => Object.fromEntries(pairs)),
  value: fc.oneof(
    { depthSize: "small" },
    fc.boolean(),
    fc.integer(),
    fc.string(),
    fc.array(tie("tree"), { maxLength: 2 }),
    tie("tree"),
  ),
}));

test("property: applying the difference leads from one to the other, and there is none between equals", () => {
  fc.assert(
    fc.property(tree, tree, (before, after) => {
      const patch = mergeDifference(before, after);
      expect(merged(before, patch ?? {})).toEqual(after);
      expect(mergeDifference(after, structuredClone(after))).toBeUndefined();
    }),
  );
});
