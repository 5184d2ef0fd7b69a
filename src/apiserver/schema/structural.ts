/** Whether a schema is structural: every field has a type outside of allOf, anyOf, oneOf and not, which only restrict. */
import { type FieldError, forbidden, formatFieldError, invalid, required } from "../field-error.ts";
import type { JsonSchema } from "./json-schema.ts";
import { patternError } from "./pattern.ts";

type Level = "root" | "item" | "field";

const typeRequired: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const typeOf = (schema: JsonSchema): string => schema.type ?? "";
const entriesOf = (schema: JsonSchema): [string, JsonSchema][] => Object.entries(schema.properties ?? {});

/** anyOf: [{type: integer}, {type: string}] is how int-or-string may be spelled out. */
function isIntOrStringAnyOf(anyOf: readonly JsonSchema[] | undefined): boolean {
  const bare = (schema: JsonSchema | undefined, type: string): boolean =>
    schema !== undefined && schema.type === type && Object.keys(schema).length === 1;
  return anyOf?.length === 2 && bare(anyOf[0], "integer") && bare(anyOf[1], "string");
}

class StructuralCheck {
  readonly errors: FieldError[] = [];

  invariants(schema: JsonSchema, level: Level, path: string): void {
    this.children(schema, level, path);
    this.extensions(schema, path);
    this.values(schema, level, path, isIntOrStringAnyOf(schema.anyOf));
    this.type(schema, level, path);
    this.meta(schema, level, path);
  }

  private children(schema: JsonSchema, level: Level, path: string): void {
    if (typeOf(schema) === "array" && !isSchema(schema.items))
      this.errors.push(required(`${path}.items`, "must be specified"));
    if (isSchema(schema.items)) this.invariants(schema.items, "item", `${path}.items`);
    for (const [name, property] of entriesOf(schema)) this.invariants(property, "field", `${path}.properties[${name}]`);
    const additional = schema.additionalProperties;
    if (additional === undefined || additional === null) return;
    if (level === "root") this.errors.push(forbidden(`${path}.additionalProperties`, "must not be used at the root"));
    if (isSchema(additional)) this.invariants(additional, "field", `${path}.additionalProperties`);
  }

  private extensions(schema: JsonSchema, path: string): void {
    if (schema["x-kubernetes-int-or-string"] !== true) return;
    const clash = (name: "x-kubernetes-preserve-unknown-fields" | "x-kubernetes-embedded-resource"): void => {
      if (schema[name] === true)
        this.errors.push(invalid(`${path}.${name}`, true, "must be false if x-kubernetes-int-or-string is true"));
    };
    clash("x-kubernetes-preserve-unknown-fields");
    clash("x-kubernetes-embedded-resource");
  }

  private type(schema: JsonSchema, level: Level, path: string): void {
    const type = typeOf(schema);
    const embedded = schema["x-kubernetes-embedded-resource"] === true;
    const untyped =
      schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
    if (embedded && type !== "object") {
      const detail = "must be object if x-kubernetes-embedded-resource is true";
      this.errors.push(type === "" ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail));
    } else if (type === "" && !untyped) this.errors.push(required(`${path}.type`, typeRequired[level]));
    if (embedded && schema.additionalProperties !== undefined && schema.additionalProperties !== null)
      this.errors.push(
        forbidden(`${path}.additionalProperties`, "must not be used if x-kubernetes-embedded-resource is set"),
      );
    if (level === "root" && type !== "" && type !== "object")
      this.errors.push(invalid(`${path}.type`, type, "must be object at the root"));
  }

  private meta(schema: JsonSchema, level: Level, path: string): void {
    const embedded = schema["x-kubernetes-embedded-resource"] === true;
    const isResource = level === "root" || embedded;
    const properties = schema.properties ?? {};
    for (const name of ["kind", "apiVersion"]) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (isResource && property !== undefined && typeOf(property) !== "string")
        this.errors.push(invalid(`${path}.properties[${name}].type`, typeOf(property), "must be string"));
    }
    const metadata = Object.hasOwn(properties, "metadata") ? properties.metadata : undefined;
    if (metadata !== undefined) this.metadata(metadata, level, isResource, `${path}.properties[metadata]`);
    if (embedded && schema["x-kubernetes-preserve-unknown-fields"] !== true && entriesOf(schema).length === 0)
      this.errors.push(
        required(
          `${path}.properties`,
          "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
        ),
      );
  }

  private metadata(schema: JsonSchema, level: Level, isResource: boolean, path: string): void {
    if (isResource && typeOf(schema) !== "object")
      this.errors.push(invalid(`${path}.type`, typeOf(schema), "must be object"));
    if (level !== "root") return;
    const allowed = new Set(["type", "default"]);
    const names = Object.keys(schema.properties ?? {});
    if (names.every((name) => name === "name" || name === "generateName")) allowed.add("properties");
    const extra = Object.entries(schema).some(
      ([key, value]) => !allowed.has(key) && value !== undefined && value !== null,
    );
    if (extra)
      this.errors.push(
        forbidden(
          path,
          "must not specify anything other than name and generateName, but metadata is implicitly specified",
        ),
      );
  }

  private values(schema: JsonSchema, level: Level, path: string, skipAnyOf: boolean): void {
    if (!skipAnyOf)
      schema.anyOf?.forEach((s, i) => {
        this.nested(s, level, `${path}.anyOf[${i}]`, false);
      });
    schema.allOf?.forEach((s, i) => {
      this.nested(s, level, `${path}.allOf[${i}]`, i === 0 && isIntOrStringAnyOf(s.anyOf));
    });
    schema.oneOf?.forEach((s, i) => {
      this.nested(s, level, `${path}.oneOf[${i}]`, false);
    });
    if (isSchema(schema.not)) this.nested(schema.not, level, `${path}.not`, false);
    const broken = schema.pattern ? patternError(schema.pattern) : undefined;
    if (broken !== undefined)
      this.errors.push(
        invalid(`${path}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${broken}`),
      );
  }

  private nested(schema: JsonSchema, level: Level, path: string, skipAnyOf: boolean): void {
    this.values(schema, level, path, skipAnyOf);
    if (isSchema(schema.items)) this.nested(schema.items, level, `${path}.items`, false);
    for (const [name, property] of entriesOf(schema))
      this.nested(property, "field", `${path}.properties[${name}]`, false);
    for (const [key, detail] of onlyOutside)
      if (isSet(schema[key])) this.errors.push(forbidden(`${path}.${key}`, detail));
    if (Object.hasOwn(schema.properties ?? {}, "metadata"))
      this.errors.push(forbidden(`${path}.properties[metadata]`, "must not be specified in a nested context"));
  }

  /** Everything restricted below a junctor must be specified outside of it. */
  completeness(schema: JsonSchema, outer: JsonSchema | undefined, outerPath: string, path: string): void {
    if (outer === undefined) {
      this.errors.push(required(outerPath, `because it is defined in ${path}`));
      return;
    }
    if (isSchema(schema.not)) this.restriction(schema.not, outer, outerPath, `${path}.not`);
    for (const junctor of ["allOf", "anyOf", "oneOf"] as const)
      schema[junctor]?.forEach((s, i) => {
        this.restriction(s, outer, outerPath, `${path}.${junctor}[${i}]`);
      });
  }

  private restriction(schema: JsonSchema, outer: JsonSchema | undefined, outerPath: string, path: string): void {
    this.completeness(schema, outer, outerPath, path);
    if (outer === undefined) return;
    if (isSchema(schema.items))
      this.restriction(
        schema.items,
        isSchema(outer.items) ? outer.items : undefined,
        `${outerPath}.items`,
        `${path}.items`,
      );
    for (const [name, property] of entriesOf(schema)) {
      const known = Object.hasOwn(outer.properties ?? {}, name) ? outer.properties?.[name] : undefined;
      this.restriction(property, known, `${outerPath}.properties[${name}]`, `${path}.properties[${name}]`);
    }
  }
}

const onlyOutside: readonly (readonly [keyof JsonSchema, string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return false;
  return !(Array.isArray(value) && value.length === 0);
}

/** Everything that keeps a schema from being structural, sorted by message. */
export function validateStructural(schema: JsonSchema, path: string): FieldError[] {
  const check = new StructuralCheck();
  check.invariants(schema, "root", path);
  check.completeness(schema, schema, path, path);
  const text = (error: FieldError): string => formatFieldError(error);
  return check.errors.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}
