/** Whatever is stored or sent, ownership ends in an answer or in a refusal of its own kind. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinModel, objectMetaModel } from "../builtins/type-models.ts";
import type { Json, JsonObject } from "../json.ts";
import { fuzzRuns, fuzzTimeoutMs } from "../testing/fuzz-runs.ts";
import { ApplyError, applyConfiguration } from "./apply-configuration.ts";
import { modelFromSchema } from "./schema-model.ts";
import { trackUpdate } from "./track-update.ts";
import type { TypeModel } from "./type-model.ts";
import { WIDGET_VERSION, widgetSchema } from "./widgets.ts";

const words = [
  "metadata",
  "spec",
  "status",
  "managedFields",
  "labels",
  "finalizers",
  "mapList",
  "setList",
  "portList",
  "name",
  "port",
  "free",
  "ports",
  "data",
  "constructor",
  "toString",
  "f:spec",
  'k:{"a":1}',
  "v:1",
  "i:0",
  "x:y",
  ".",
  "fieldsV1",
  "operation",
  "apiVersion",
];
const { value, object } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Json>(null, 1, 1.5, "a", "Apply", "Update", "v1", true),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.constantFrom(...words), tie("value"), {
    maxKeys: 5,
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonObject>,
}));

const entry = fc.record({
  manager: fc.constantFrom("a", "b"),
  operation: fc.constantFrom("Apply", "Update"),
  apiVersion: fc.constantFrom("v1", WIDGET_VERSION),
  fieldsType: fc.constant("FieldsV1"),
  fieldsV1: object,
});
const stored = fc.record({
  metadata: fc.record({
    name: fc.constant("w"),
    managedFields: fc.array(entry as fc.Arbitrary<Json>, { maxLength: 3 }),
  }),
  spec: value,
  status: value,
}) as fc.Arbitrary<JsonObject>;

const kinds: [string, string, TypeModel][] = [
  [WIDGET_VERSION, "Widget", modelFromSchema(widgetSchema, objectMetaModel())],
  ["v1", "Service", builtinModel("v1", "Service") as TypeModel],
];

describe.each(kinds)("%s %s", (apiVersion, kind, model) => {
  const base = {
    apiVersion,
    kind,
    now: "2026-01-01T00:00:00Z",
    manager: "m",
    modelOf: (version: string) => (version === apiVersion ? model : undefined),
  };

  it("survives any apply", { timeout: fuzzTimeoutMs }, () => {
    fc.assert(
      fc.property(fc.option(stored, { nil: undefined }), object, fc.boolean(), (live, config, force) => {
        try {
          applyConfiguration({ ...base, live, config: { ...config, apiVersion, kind }, force });
        } catch (error) {
          expect(error).toBeInstanceOf(ApplyError);
        }
      }),
      { numRuns: fuzzRuns },
    );
  });

  it("survives any update", { timeout: fuzzTimeoutMs }, () => {
    fc.assert(
      fc.property(fc.option(stored, { nil: undefined }), fc.oneof(stored, object), (live, updated) => {
        const tracked = trackUpdate({ ...base, live, updated });
        expect(tracked.spec).toBe(updated.spec);
      }),
      { numRuns: fuzzRuns },
    );
  });
});
