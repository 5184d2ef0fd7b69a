import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cloneJson, type Json, type JsonObject } from "../json.ts";
import { PatchError } from "./patch-error.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const service = (...ports: JsonObject[]): JsonObject => ({ spec: { ports, selector: { a: "1", b: "2" } } });
const p = (port: number, extra: JsonObject = {}): JsonObject => ({ port, ...extra });

describe("applyStrategicMergePatch", () => {
  it.each([
    [
      "merges items by key",
      service(p(80, { name: "a" }), p(81)),
      { spec: { ports: [p(80, { targetPort: 1 })] } },
      [p(80, { name: "a", targetPort: 1 }), p(81)],
    ],
    ["puts new items first", service(p(80)), { spec: { ports: [p(82)] } }, [p(82), p(80)]],
    ["deletes by directive", service(p(80), p(81)), { spec: { ports: [p(80, { $patch: "delete" })] } }, [p(81)]],
    ["replaces by directive", service(p(80), p(81)), { spec: { ports: [{ $patch: "replace" }, p(90)] } }, [p(90)]],
    [
      "orders as told",
      service(p(80), p(81), p(82)),
      { spec: { "$setElementOrder/ports": [p(82), p(80)] } },
      [p(81), p(82), p(80)],
    ],
    [
      "merges and orders",
      service(p(80), p(81)),
      { spec: { ports: [p(82)], "$setElementOrder/ports": [p(82), p(81), p(80)] } },
      [p(82), p(81), p(80)],
    ],
    ["drops a field", service(p(80, { name: "a" })), { spec: { ports: [p(80, { name: null })] } }, [p(80)]],
  ] as [string, JsonObject, JsonObject, Json[]][])("%s", (_, object, patch, ports) => {
    const [before, given] = [cloneJson(object), cloneJson(patch)];
    expect((applyStrategicMergePatch(object, patch, "core.Service").spec as JsonObject).ports).toEqual(ports);
    expect([object, patch]).toEqual([before, given]);
  });

  it.each([
    ["replaces a map", { spec: { selector: { $patch: "replace", c: "3" } } }, { c: "3" }],
    ["empties a map", { spec: { selector: { $patch: "delete" } } }, {}],
    ["retains keys", { spec: { selector: { $retainKeys: ["b"] } } }, { b: "2" }],
    ["merges keys", { spec: { selector: { a: null, c: "3" } } }, { b: "2", c: "3" }],
  ] as [string, JsonObject, JsonObject][])("%s", (_, patch, selector) => {
    expect((applyStrategicMergePatch(service(), patch, "core.Service").spec as JsonObject).selector).toEqual(selector);
  });

  it("merges sets of text, and deletes from them", () => {
    const object = { metadata: { finalizers: ["a", "b"] } };
    const finalizers = (patch: JsonObject): unknown =>
      (applyStrategicMergePatch(object, { metadata: patch }, "core.ConfigMap").metadata as JsonObject).finalizers;
    expect(finalizers({ finalizers: ["c", "a"] })).toEqual(["c", "a", "b"]);
    expect(finalizers({ "$deleteFromPrimitiveList/finalizers": ["a"] })).toEqual(["b"]);
    expect(finalizers({ finalizers: null })).toBeUndefined();
  });

  it("replaces lists without a strategy", () => {
    expect(
      applyStrategicMergePatch({ rules: [{ verbs: ["a"] }] }, { rules: [{ verbs: ["b"] }] }, "rbac.Role").rules,
    ).toEqual([{ verbs: ["b"] }]);
  });

  it("never throws anything but a PatchError", () => {
    const key = fc.constantFrom(
      "metadata",
      "spec",
      "ports",
      "port",
      "name",
      "finalizers",
      "$patch",
      "$retainKeys",
      "$setElementOrder/ports",
      "$setElementOrder/finalizers",
      "$deleteFromPrimitiveList/finalizers",
      "$setElementOrder",
      "ownerReferences",
      "uid",
    );
    const { value } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom<Json>(null, 80, "replace", "delete", "merge", true),
        fc.array(tie("value"), { maxLength: 3 }),
        tie("object"),
      ),
      object: fc.dictionary(key, tie("value"), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
    }));
    const object = fc.dictionary(key, value, { maxKeys: 4 }) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(object, object, (original, patch) => {
        try {
          applyStrategicMergePatch(original, patch, "core.Service");
        } catch (error) {
          expect(error).toBeInstanceOf(PatchError);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
