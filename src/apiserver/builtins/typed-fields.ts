/**
 * Reads a built-in object as upstream's typed decoder does: unknown fields are dropped and named, nulls and empty optional
 * fields vanish, values of the wrong type are refused. Never looks inside free-form JSON.
 */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { type OpenApiSchema, refOf, resolve, schemas } from "./schemas.ts";

/** A value that cannot be decoded, in Go's words. */
export class TypeMismatch extends Error {
  override readonly name = "TypeMismatch";
}

/** Prunes `object` by a definition, in place; returns the paths of unknown fields. */
export function pruneTyped(object: JsonObject, definition: string): string[] {
  const kind = definition.slice(definition.lastIndexOf(".") + 1);
  const walk = new Walk(kind);
  walk.visit(object, schemas[definition] ?? {}, "", kind);
  return walk.unknown;
}

class Walk {
  readonly unknown: string[] = [];
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  visit(value: Json, declared: OpenApiSchema, path: string, goPath: string): void {
    const schema = resolve(declared);
    if (isFreeForm(schema, declared)) return;
    this.#checkType(value, schema, declared, goPath);
    if (Array.isArray(value)) {
      if (schema.items)
        for (const [i, item] of value.entries()) this.visit(item, schema.items, `${path}[${i}]`, goPath);
    } else if (isJsonObject(value)) this.#visitObject(value, schema, path, goPath);
  }

  #visitObject(object: JsonObject, schema: OpenApiSchema, path: string, goPath: string): void {
    for (const key of Object.keys(object)) {
      const at = path === "" ? key : `${path}.${key}`;
      const property = ownProperty(schema, key);
      if (property) {
        this.visit(object[key] as Json, property, at, `${goPath}.${key}`);
        if (vanishes(object[key] as Json, property, schema.required?.includes(key) ?? false)) delete object[key];
      } else if (typeof schema.additionalProperties === "object") {
        this.visit(object[key] as Json, schema.additionalProperties, at, goPath);
      } else if (schema.properties) {
        this.unknown.push(at);
        delete object[key];
      }
    }
  }

  #checkType(value: Json, schema: OpenApiSchema, declared: OpenApiSchema, goPath: string): void {
    if (value === null) return;
    const expected = schema.type;
    const actual = jsonType(value);
    if (expected === undefined || expected === actual) return;
    if (expected === "integer" && Number.isInteger(value)) return;
    if (expected === "number" && typeof value === "number") return;
    const what = actual === "number" && expected === "integer" ? `number ${String(value)}` : actual;
    const where = goPath === this.#kind ? "Go value" : `Go struct field ${goPath}`;
    throw new TypeMismatch(`json: cannot unmarshal ${what} into ${where} of type ${goType(schema, declared)}`);
  }
}

function ownProperty(schema: OpenApiSchema, key: string): OpenApiSchema | undefined {
  return schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
}

/** Free-form JSON (schemas' defaults, raw extensions, field sets) and alternatives are left as they are. */
function isFreeForm(schema: OpenApiSchema, declared: OpenApiSchema): boolean {
  if (schema.oneOf) return true;
  const hasShape = schema.properties || schema.additionalProperties !== undefined || schema.items;
  return schema.type === undefined && !hasShape ? true : (refOf(declared) ?? "").endsWith(".FieldsV1");
}

function jsonType(value: Json): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "object" ? "object" : typeof value;
}

const SCALARS: Readonly<Record<string, string>> = { boolean: "bool", string: "string", number: "float64" };

function goType(schema: OpenApiSchema, declared: OpenApiSchema): string {
  const ref = refOf(declared);
  if (ref) return `v1.${ref.slice(ref.lastIndexOf(".") + 1)}`;
  if (schema.type === "integer") return schema.format ?? "int";
  if (schema.type === "array") return `[]${goType(resolve(schema.items ?? {}), schema.items ?? {})}`;
  if (typeof schema.additionalProperties === "object") {
    return `map[string]${goType(resolve(schema.additionalProperties), schema.additionalProperties)}`;
  }
  return SCALARS[schema.type ?? ""] ?? "interface {}";
}

/** Nulls are absent; empty texts, lists and maps of optional fields are not written back. */
function vanishes(value: Json, declared: OpenApiSchema, isRequired: boolean): boolean {
  if (value === null) return true;
  if (isRequired) return false;
  if (value === "" || (Array.isArray(value) && value.length === 0)) return true;
  const isMap = resolve(declared).additionalProperties !== undefined;
  return isMap && isJsonObject(value) && Object.keys(value).length === 0;
}
