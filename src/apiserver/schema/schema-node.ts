/** A schema compiled once into nodes that prune, default and validate walk: lookups are maps, formats and patterns are resolved. */
import { type FormatCheck, findFormat } from "./formats.ts";
import type { JsonSchema, ValidationRule } from "./json-schema.ts";
import { type PatternMatcher, patternMatcher } from "./pattern.ts";

export type JsonObject = Record<string, unknown>;

/** One place in a schema. Every node has every field, so that the walkers stay fast. */
export interface SchemaNode {
  readonly source: JsonSchema;
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly format: string;
  readonly formatCheck: FormatCheck | undefined;
  readonly pattern: PatternMatcher | undefined;
  readonly enum: readonly unknown[] | undefined;
  readonly hasNumberRules: boolean;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** The schema of other keys; `true` allows them without describing them, undefined leaves them unknown. */
  readonly additional: SchemaNode | true | undefined;
  readonly items: SchemaNode | undefined;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  readonly hasJunctors: boolean;
  readonly default: unknown;
  readonly preserveUnknown: boolean;
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly rules: readonly ValidationRule[];
  /** Whether this node or one below it holds what the named walker looks for; walkers skip a subtree otherwise. */
  readonly below: Below;
}

export interface Below {
  readonly defaults: boolean;
  readonly keyedLists: boolean;
  readonly embedded: boolean;
  readonly rules: boolean;
}

/** Whether a value is a JSON object (not null, not a list). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the object itself has the key; names like "constructor" must not find Object's own. */
export function hasKey(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key);
}

/** Sets a key as data: "__proto__" becomes a key like any other. */
export function setKey(object: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

const defaultsOfNumbers = ["maximum", "minimum", "multipleOf"] as const;

function typesOf(schema: JsonSchema): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true) return ["integer", "string"];
  return schema.type === undefined || schema.type === "" ? [] : [schema.type];
}

function additionalOf(schema: JsonSchema): SchemaNode | true | undefined {
  const additional = schema.additionalProperties;
  if (additional === undefined || additional === null || additional === false) return undefined;
  return additional === true ? true : compileNode(additional);
}

function itemsOf(schema: JsonSchema): SchemaNode | undefined {
  const items = schema.items;
  return items === undefined || items === null || Array.isArray(items) ? undefined : compileNode(items as JsonSchema);
}

function belowOf(schema: JsonSchema, children: readonly SchemaNode[]): Below {
  const listType = schema["x-kubernetes-list-type"];
  return {
    defaults: hasDefault(schema) || children.some((c) => c.below.defaults),
    keyedLists: listType === "map" || listType === "set" || children.some((c) => c.below.keyedLists),
    embedded: schema["x-kubernetes-embedded-resource"] === true || children.some((c) => c.below.embedded),
    rules: (schema["x-kubernetes-validations"] ?? []).length > 0 || children.some((c) => c.below.rules),
  };
}

function hasDefault(schema: JsonSchema): boolean {
  return present(schema.default);
}

const all = (schemas: readonly JsonSchema[] | undefined): SchemaNode[] => (schemas ?? []).map(compileNode);

function extensionsOf(schema: JsonSchema) {
  return {
    preserveUnknown: schema["x-kubernetes-preserve-unknown-fields"] === true,
    embedded: schema["x-kubernetes-embedded-resource"] === true,
    intOrString: schema["x-kubernetes-int-or-string"] === true,
    listType: schema["x-kubernetes-list-type"],
    listMapKeys: schema["x-kubernetes-list-map-keys"] ?? [],
    rules: schema["x-kubernetes-validations"] ?? [],
  };
}

const present = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

/** Compiles a schema and everything below it. Never throws: what is malformed is `validateStructural`'s to report. */
export function compileNode(schema: JsonSchema): SchemaNode {
  const properties = new Map(Object.entries(schema.properties ?? {}).map(([k, s]) => [k, compileNode(s)] as const));
  const additional = additionalOf(schema);
  const items = itemsOf(schema);
  const children = [...properties.values()];
  if (additional !== undefined && additional !== true) children.push(additional);
  if (items !== undefined) children.push(items);
  const types = typesOf(schema);
  const { format, check } = findFormat(types, schema.format ?? "");
  const extensions = extensionsOf(schema);
  const [allOf, anyOf, oneOf] = [all(schema.allOf), all(schema.anyOf), all(schema.oneOf)];
  const not = present(schema.not) ? compileNode(schema.not) : undefined;
  return {
    source: schema,
    types,
    nullable: schema.nullable === true,
    format,
    formatCheck: check,
    pattern: schema.pattern ? patternMatcher(schema.pattern) : undefined,
    enum: present(schema.enum) && schema.enum.length > 0 ? schema.enum : undefined,
    hasNumberRules: defaultsOfNumbers.some((k) => present(schema[k])),
    required: schema.required ?? [],
    properties,
    additional,
    items,
    allOf,
    anyOf,
    oneOf,
    not,
    hasJunctors: allOf.length + anyOf.length + oneOf.length > 0 || not !== undefined,
    default: hasDefault(schema) ? schema.default : undefined,
    ...extensions,
    below: belowOf(schema, children),
  };
}
