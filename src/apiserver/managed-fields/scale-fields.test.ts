import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { scaleManagedFields, unscaledManagedFields } from "./scale-fields.ts";

const paths = new Map([
  ["g/v1", ".spec.count"],
  ["g/v0", undefined],
]);
const entry = (
  manager: string,
  operation: "Apply" | "Update",
  fieldsV1: JsonObject,
  extra: JsonObject = {},
): JsonObject => ({
  manager,
  operation,
  apiVersion: "g/v1",
  fieldsType: "FieldsV1",
  fieldsV1,
  ...extra,
});
const REPLICAS: JsonObject = { "f:spec": { "f:replicas": {} } };
const COUNT: JsonObject = { "f:spec": { "f:count": {} } };
const scaled = (operation: "Apply" | "Update"): JsonObject =>
  entry("s", operation, REPLICAS, { apiVersion: "autoscaling/v1", subresource: "scale" });

describe("scaleManagedFields", () => {
  it("shows those who own the replicas, as owners of the scale's field", () => {
    const entries = [
      entry("a", "Apply", { "f:spec": { "f:count": {}, "f:text": {} } }),
      entry("b", "Update", { "f:spec": { "f:text": {} } }),
    ];
    expect(scaleManagedFields(entries, paths)).toEqual([
      entry("a", "Apply", REPLICAS, { apiVersion: "autoscaling/v1" }),
    ]);
    expect(scaleManagedFields([entry("b", "Update", { "f:x": {} })], paths)).toBeUndefined();
  });
});

describe("unscaledManagedFields", () => {
  it.each(["Apply", "Update"] as const)("gives the replicas to whoever took them by %s", (operation) => {
    const entries = [entry("a", "Apply", { "f:spec": { "f:count": {}, "f:text": {} } }), entry("z", "Apply", COUNT)];
    expect(unscaledManagedFields({ entries, scaleEntries: [scaled(operation)], apiVersion: "g/v1" }, paths)).toEqual(
      expect.arrayContaining([
        entry("a", "Apply", { "f:spec": { "f:text": {} } }),
        entry("s", operation, COUNT, { subresource: "scale" }),
      ]),
    );
  });

  it("leaves an applier what it still owns on the scale", () => {
    const entries = [entry("a", "Apply", COUNT)];
    expect(
      unscaledManagedFields(
        { entries, scaleEntries: scaleManagedFields(entries, paths) ?? [], apiVersion: "g/v1" },
        paths,
      ),
    ).toEqual(entries);
  });

  it("keeps versions without a scale and drops versions nobody knows", () => {
    const entries = [
      entry("a", "Update", COUNT, { apiVersion: "g/v0" }),
      entry("b", "Update", COUNT, { apiVersion: "g/gone" }),
    ];
    expect(unscaledManagedFields({ entries, scaleEntries: undefined, apiVersion: "g/v1" }, paths)).toEqual([
      entries[0],
    ]);
  });
});
