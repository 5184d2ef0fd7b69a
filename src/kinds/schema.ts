/**
 * The words a schema is written in. Types are TypeBox's, so one expression gives a TypeScript type; values are plain JSON
 * Schema with the `x-kubernetes-*` keywords of a CRD. TypeBox is imported for its types only: its run time costs 140 ms.
 */
import type { Static, TObject, TOptional, TUnsafe } from "typebox";

/** A CEL rule of a CRD. `oldSelf` in it makes it a rule about changes. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  readonly fieldPath?: string;
}

/** What may stand beside a schema's type: bounds, defaults and Kubernetes' own keywords. */
export interface Keywords {
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-preserve-unknown-fields"?: true;
}

/** A schema as one walks it. Keys that begin with `~` are for us alone and never reach a CRD. */
export interface SchemaNode extends Keywords {
  readonly description?: string;
  readonly type?: "string" | "integer" | "number" | "boolean" | "object" | "array";
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly SchemaNode[];
  readonly "x-kubernetes-int-or-string"?: true;
  readonly "x-kubernetes-validations"?: readonly Rule[];
  /** Known values of an open vocabulary: documented, never enforced. */
  readonly "~values"?: readonly string[];
  /** Those of the values that the compatible API does not have. */
  readonly "~addedValues"?: readonly string[];
  readonly "~optional"?: true;
  /** Not part of the API we are compatible with. */
  readonly "~added"?: true;
  readonly "~deprecated"?: string;
}

/** A schema of values of type `T`. */
export type Schema<T = unknown> = TUnsafe<T> & SchemaNode;
export type Properties = Readonly<Record<string, Schema>>;
/** The type an object of these properties has. */
export type StaticObject<P extends Properties> = Static<TObject<P>>;
/** The values a reader knows by name; any other string passes through as itself. */
export type Open<V extends string> = V | (string & {});

/** The one place where a value gets its compile-time type; TypeBox's markers exist only there. */
function schema<T>(node: SchemaNode): Schema<T> {
  return node as Schema<T>;
}

export function string(description: string, keywords: Keywords = {}): Schema<string> {
  return schema({ description, type: "string", ...keywords });
}

export function boolean(description: string, keywords: Keywords = {}): Schema<boolean> {
  return schema({ description, type: "boolean", ...keywords });
}

/** 32 bits unless the keywords name another format. */
export function integer(description: string, keywords: Keywords = {}): Schema<number> {
  return schema({ description, type: "integer", format: "int32", ...keywords });
}

/** RFC 3339, as `metav1.Time` is written. */
export function time(description: string): Schema<string> {
  return string(description, { format: "date-time" });
}

/** One of these values and nothing else: the API server refuses others. Readers stay tolerant of values to come. */
export function choice<const V extends string>(
  description: string,
  values: readonly V[],
  keywords: Keywords = {},
): Schema<Open<V>> {
  return schema({ description, type: "string", enum: values, ...keywords });
}

/** A string with well-known values; the API server accepts any. `added` names those the compatible API does not have. */
export function word<const V extends string>(
  description: string,
  values: readonly V[],
  { added, ...keywords }: Keywords & { readonly added?: readonly NoInfer<V>[] } = {},
): Schema<Open<V>> {
  return schema({
    description,
    type: "string",
    "~values": values,
    ...(added && { "~addedValues": added }),
    ...keywords,
  });
}

export function object<P extends Properties>(
  description: string,
  properties: P,
  keywords: Keywords = {},
): Schema<StaticObject<P>> {
  const required = Object.keys(properties).filter((name) => !properties[name]?.["~optional"]);
  return schema({ description, type: "object", ...(required.length > 0 && { required }), properties, ...keywords });
}

/** An object about which nothing may be said, as a CRD wants its `metadata`. */
export const bareObject: Schema<object> = schema({ type: "object" });

export function list<T>(description: string, items: Schema<T>, keywords: Keywords = {}): Schema<T[]> {
  return schema({ description, type: "array", items, ...keywords });
}

/** A list that apply merges by these keys instead of replacing it whole. */
export function listMap<T>(
  description: string,
  items: Schema<T>,
  keys: readonly (string & keyof T)[],
  keywords: Keywords = {},
): Schema<T[]> {
  return list(description, items, {
    ...keywords,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": keys,
  });
}

export function map<T>(description: string, values: Schema<T>, keywords: Keywords = {}): Schema<Record<string, T>> {
  return schema({ description, type: "object", additionalProperties: values, ...keywords });
}

/** The field may be absent. */
export function optional<S extends Schema>(field: S): TOptional<S> {
  return { ...field, "~optional": true };
}

/** An optional field that the compatible API does not have; the documentation says so. */
export function added<S extends Schema>(field: S): TOptional<S> {
  return { ...optional(field), "~added": true };
}

/** Still served and honoured; `instead` tells a person what to write today. */
export function deprecated<S extends Schema>(field: S, instead: string): S {
  return { ...field, "~deprecated": instead };
}
