/**
 * The definitions of OpenAPI v2, which clients before 1.24 validate with: one document over everything that is served.
 * Made from the v3 schemas; what v2 cannot say (alternatives, nullable) is left out, never approximated.
 */
import { encodeDocument } from "./gnostic.ts";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

export interface DocumentV2 {
  readonly swagger: "2.0";
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, never>>;
  readonly definitions: Readonly<Record<string, Schema>>;
}

export interface EncodedV2 {
  readonly json: string;
  /** In the protobuf form that Go clients ask for. */
  readonly protobuf: Uint8Array;
}

export function encodeV2(schemas: Readonly<Record<string, Schema>>): EncodedV2 {
  const document: DocumentV2 = {
    swagger: "2.0",
    info: { title: "Kubernetes", version: "v1.36.3" },
    paths: {},
    definitions: mapValues(schemas, toV2),
  };
  return { json: JSON.stringify(document), protobuf: encodeDocument(document) };
}

const DROPPED: ReadonlySet<string> = new Set(["oneOf", "anyOf", "not", "nullable", "allOf"]);

function toV2(schema: Schema): Schema {
  const [only] = schema.allOf ?? [];
  const $ref = schema.$ref ?? only?.$ref;
  const { description } = schema;
  if ($ref)
    return { ...(description && { description }), $ref: $ref.replace("#/components/schemas/", "#/definitions/") };
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !DROPPED.has(keyword)));
  // Clients would refuse what such a field may hold: to them it is a value of any type.
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] || schema["x-kubernetes-int-or-string"];
  if (isOpen) return Object.fromEntries(Object.entries(kept).filter(([keyword]) => !TYPED.has(keyword)));
  const { items, properties, additionalProperties: more } = schema;
  return {
    ...kept,
    ...(items && { items: toV2(items) }),
    ...(properties && { properties: mapValues(properties, toV2) }),
    ...(more !== undefined && { additionalProperties: typeof more === "boolean" ? more : toV2(more) }),
  };
}

const TYPED: ReadonlySet<string> = new Set(["type", "properties", "items", "additionalProperties", "required"]);

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
