/** Reads a schema as Go's decoder would: what has the wrong type is named in Go's words, and left out of what others see. */
import type { JsonSchema } from "./json-schema.ts";

type Kind = "string" | "bool" | "int64" | "float64" | "[]string" | "[]v1.JSON" | "any";

const kinds: Readonly<Record<string, Kind>> = {
  type: "string",
  format: "string",
  title: "string",
  description: "string",
  pattern: "string",
  id: "string",
  $ref: "string",
  $schema: "string",
  "x-kubernetes-list-type": "string",
  "x-kubernetes-map-type": "string",
  nullable: "bool",
  exclusiveMaximum: "bool",
  exclusiveMinimum: "bool",
  uniqueItems: "bool",
  "x-kubernetes-preserve-unknown-fields": "bool",
  "x-kubernetes-embedded-resource": "bool",
  "x-kubernetes-int-or-string": "bool",
  maxLength: "int64",
  minLength: "int64",
  maxItems: "int64",
  minItems: "int64",
  maxProperties: "int64",
  minProperties: "int64",
  maximum: "float64",
  minimum: "float64",
  multipleOf: "float64",
  required: "[]string",
  "x-kubernetes-list-map-keys": "[]string",
  enum: "[]v1.JSON",
  default: "any",
  example: "any",
  externalDocs: "any",
  dependencies: "any",
  definitions: "any",
  patternProperties: "any",
  additionalItems: "any",
};

const ruleKinds: Readonly<Record<string, Kind>> = {
  rule: "string",
  message: "string",
  messageExpression: "string",
  reason: "string",
  fieldPath: "string",
  optionalOldSelf: "bool",
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

class Decoder {
  error: string | undefined;

  private refuse(value: unknown, at: string, type: string): undefined {
    const fraction = typeof value === "number" && type === "int64" ? ` ${value}` : "";
    this.error ??= `json: cannot unmarshal ${jsonTypeOf(value)}${fraction} into Go struct field ${at} of type ${type}`;
    return undefined;
  }

  private scalar(value: unknown, kind: Kind, at: string): unknown {
    switch (kind) {
      case "any":
        return value;
      case "string":
        return typeof value === "string" ? value : this.refuse(value, at, kind);
      case "bool":
        return typeof value === "boolean" ? value : this.refuse(value, at, kind);
      case "int64":
        return Number.isSafeInteger(value) ? value : this.refuse(value, at, kind);
      case "float64":
        return typeof value === "number" ? value : this.refuse(value, at, kind);
      default:
        return this.scalars(value, kind, at);
    }
  }

  private scalars(value: unknown, kind: Kind, at: string): unknown {
    if (!Array.isArray(value)) return this.refuse(value, at, kind);
    if (kind === "[]v1.JSON") return value;
    const odd = value.find((item) => typeof item !== "string");
    return odd === undefined ? value : this.refuse(odd, at, "string");
  }

  private list<T>(value: unknown, at: string, type: string, read: (item: unknown) => T | undefined): T[] | undefined {
    if (!Array.isArray(value)) return this.refuse(value, at, type);
    return value.flatMap((item) => read(item) ?? []);
  }

  private record(
    value: unknown,
    table: Readonly<Record<string, Kind>>,
    at: (key: string) => string,
  ): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    for (const [key, item] of isObject(value) ? Object.entries(value) : []) {
      const kind = Object.hasOwn(table, key) ? table[key] : undefined;
      const kept = kind === undefined || item === null ? undefined : this.scalar(item, kind, at(key));
      if (kept !== undefined) out[key] = kept;
    }
    return out;
  }

  private rule =
    (path: string) =>
    (value: unknown): Record<string, unknown> | undefined => {
      const at = `ValidationRule.${path}`;
      if (!isObject(value)) return this.refuse(value, at, "v1.ValidationRule");
      return { rule: "", ...this.record(value, ruleKinds, (key) => `${at}.${key}`) };
    };

  private nested(key: string, value: unknown, path: string): unknown {
    const at = `JSONSchemaProps.${path}`;
    switch (key) {
      case "not":
        return this.schema(value, path);
      case "allOf":
      case "anyOf":
      case "oneOf":
        return this.list(value, at, "[]v1.JSONSchemaProps", (item) => this.schema(item, path));
      case "x-kubernetes-validations":
        return this.list(value, at, "v1.ValidationRules", this.rule(path));
      case "properties":
        return this.properties(value, path);
      case "items":
        return Array.isArray(value) ? value : isObject(value) ? this.schema(value, "") : undefined;
      case "additionalProperties":
        return this.additional(value);
      default:
        return undefined;
    }
  }

  private properties(value: unknown, path: string): unknown {
    if (!isObject(value)) return this.refuse(value, `JSONSchemaProps.${path}`, "map[string]v1.JSONSchemaProps");
    const entries = Object.entries(value).map(
      ([name, schema]) => [name, schema === null ? {} : this.schema(schema, path)] as const,
    );
    return Object.fromEntries(entries.filter(([, schema]) => schema !== undefined));
  }

  private additional(value: unknown): unknown {
    if (typeof value === "boolean") return value;
    if (isObject(value)) return this.schema(value, "");
    this.error ??= "boolean or JSON schema expected";
    return undefined;
  }

  schema(value: unknown, path: string): JsonSchema | undefined {
    if (!isObject(value)) return this.refuse(value, `JSONSchemaProps.${path}`, "v1.JSONSchemaProps");
    const below = (key: string): string => (path === "" ? key : `${path}.${key}`);
    const out = this.record(value, kinds, (key) => `JSONSchemaProps.${below(key)}`);
    for (const [key, item] of Object.entries(value)) {
      const kept = item === null ? undefined : this.nested(key, item, below(key));
      if (kept !== undefined) out[key] = kept;
    }
    return out as JsonSchema;
  }
}

export interface DecodedSchema {
  /** The schema with every keyword of the right type. */
  readonly schema: JsonSchema;
  /** What Go's decoder says first, if anything. */
  readonly error: string | undefined;
}

/** Reads a schema from anything. Never throws. */
export function decodeSchema(value: unknown, path = "spec.versions.schema.openAPIV3Schema"): DecodedSchema {
  const decoder = new Decoder();
  const schema = decoder.schema(value, path) ?? {};
  return { schema, error: decoder.error };
}
