import { describe, expect, it } from "vitest";
import { definition } from "../testing/corpus.ts";
import { definitionDecodeError } from "./crd-check.ts";
import type { JsonSchema } from "./json-schema.ts";
import { decodeSchema } from "./schema-decode.ts";

const at = "JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties";

/** Recorded from kube-apiserver v1.36.3. */
const answers: readonly (readonly [unknown, string])[] = [
  [{ format: {} }, `json: cannot unmarshal object into Go struct field ${at}.format of type string`],
  [{ maxLength: "x" }, `json: cannot unmarshal string into Go struct field ${at}.maxLength of type int64`],
  [{ maxLength: 1.5 }, `json: cannot unmarshal number 1.5 into Go struct field ${at}.maxLength of type int64`],
  [{ nullable: "x" }, `json: cannot unmarshal string into Go struct field ${at}.nullable of type bool`],
  [{ required: "a" }, `json: cannot unmarshal string into Go struct field ${at}.required of type []string`],
  [{ required: [1] }, `json: cannot unmarshal number into Go struct field ${at}.required of type string`],
  [{ enum: 5 }, `json: cannot unmarshal number into Go struct field ${at}.enum of type []v1.JSON`],
  [
    { properties: 5 },
    `json: cannot unmarshal number into Go struct field ${at}.properties of type map[string]v1.JSONSchemaProps`,
  ],
  [
    { properties: { a: 5 } },
    `json: cannot unmarshal number into Go struct field ${at}.properties of type v1.JSONSchemaProps`,
  ],
  [{ additionalProperties: 5 }, "boolean or JSON schema expected"],
  [{ anyOf: {} }, `json: cannot unmarshal object into Go struct field ${at}.anyOf of type []v1.JSONSchemaProps`],
  [{ maximum: "x" }, `json: cannot unmarshal string into Go struct field ${at}.maximum of type float64`],
  [{ type: ["a"] }, `json: cannot unmarshal array into Go struct field ${at}.type of type string`],
  [{ not: 5 }, `json: cannot unmarshal number into Go struct field ${at}.not of type v1.JSONSchemaProps`],
  [
    { "x-kubernetes-validations": {} },
    `json: cannot unmarshal object into Go struct field ${at}.x-kubernetes-validations of type v1.ValidationRules`,
  ],
  [
    { "x-kubernetes-validations": [{ rule: 5 }] },
    "json: cannot unmarshal number into Go struct field ValidationRule.spec.versions.schema.openAPIV3Schema.properties.x-kubernetes-validations.rule of type string",
  ],
  [
    { "x-kubernetes-list-map-keys": "a" },
    `json: cannot unmarshal string into Go struct field ${at}.x-kubernetes-list-map-keys of type []string`,
  ],
];

describe("a schema of the wrong shape", () => {
  it.each(answers)("%j is refused in the decoder's words", (schema, error) => {
    const prefix = 'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: ';
    expect(definitionDecodeError(definition("Badprobe", schema as JsonSchema))).toBe(prefix + error);
  });

  it("is read as far as it is right", () => {
    expect(
      decodeSchema({
        type: "string",
        maxLength: "x",
        foo: 1,
        nullable: null,
        properties: { a: { type: 1, format: "date" } },
      }).schema,
    ).toEqual({
      type: "string",
      properties: { a: { format: "date" } },
    });
    expect(decodeSchema(5).schema).toEqual({});
  });
});
