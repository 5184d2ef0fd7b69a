/** The type model of a custom resource, read off its structural schema. */

import { getOwn, isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { FieldModel, ListModel, MapModel, ScalarModel, TypeModel } from "./type-model.ts";
import { deduced, untypedAtomic } from "./type-model.ts";

const SCALARS: ReadonlyMap<unknown, ScalarModel> = new Map<unknown, ScalarModel>([
  ["string", "string"],
  ["integer", "numeric"],
  ["number", "numeric"],
  ["boolean", "boolean"],
]);

const STRING_FIELD: FieldModel = { type: { scalar: "string" } };

/**
 * The model of a kind with this `openAPIV3Schema`. `metadata` is the model of ObjectMeta, which every object has
 * whatever its schema says.
 */
export function modelFromSchema(schema: JsonObject, metadata: TypeModel): TypeModel {
  return asResource(convert(schema, { metadata, preserve: false }), metadata);
}

interface Context {
  readonly metadata: TypeModel;
  /** Whether this schema or one around it preserves unknown fields. */
  readonly preserve: boolean;
}

function asResource(model: TypeModel, metadata: TypeModel): TypeModel {
  const map = model.map ?? { relationship: "separable", fields: new Map(), element: undefined };
  const fields = new Map(map.fields);
  fields.set("apiVersion", STRING_FIELD);
  fields.set("kind", STRING_FIELD);
  fields.set("metadata", { type: metadata });
  return { ...model, map: { ...map, fields } };
}

function convert(schema: JsonObject, outer: Context): TypeModel {
  const context = schema["x-kubernetes-preserve-unknown-fields"] === true ? { ...outer, preserve: true } : outer;
  const model = convertShape(schema, context);
  return schema["x-kubernetes-embedded-resource"] === true ? asResource(model, context.metadata) : model;
}

function convertShape(schema: JsonObject, context: Context): TypeModel {
  const type = getOwn(schema, "type");
  const scalar = SCALARS.get(type);
  if (scalar !== undefined) return { scalar };
  if (type === "object") return { map: convertMap(schema, context) };
  if (type === "array") return { list: convertList(schema, context) };
  return { scalar: "untyped", list: convertList(schema, context), map: convertMap(schema, context) };
}

function convertMap(schema: JsonObject, context: Context): MapModel {
  const properties = objectAt(schema, "properties");
  const fields = new Map<string, FieldModel>();
  for (const name of Object.keys(properties)) fields.set(name, convertField(properties[name] as Json, context));
  const atomic = schema["x-kubernetes-map-type"] === "atomic";
  return {
    relationship: atomic ? "atomic" : "separable",
    fields,
    element: convertElement(schema, fields.size, context),
  };
}

function convertField(property: Json, context: Context): FieldModel {
  const schema = isJsonObject(property) ? property : {};
  const preset = getOwn(schema, "default");
  return { type: convert(schema, context), ...(preset === undefined ? {} : { default: preset }) };
}

function convertElement(schema: JsonObject, named: number, context: Context): TypeModel | undefined {
  const additional = getOwn(schema, "additionalProperties");
  if (isJsonObject(additional)) return convert(additional, context);
  if (additional === true) return deduced;
  if (additional === false) return undefined;
  return context.preserve || named === 0 ? deduced : undefined;
}

function convertList(schema: JsonObject, context: Context): ListModel {
  const items = getOwn(schema, "items");
  const listType = getOwn(schema, "x-kubernetes-list-type");
  const keys = getOwn(schema, "x-kubernetes-list-map-keys");
  return {
    relationship: listType === "set" || listType === "map" ? "associative" : "atomic",
    keys: listType === "map" && Array.isArray(keys) ? keys.map(String) : [],
    element: isJsonObject(items) ? convert(items, context) : untypedAtomic,
  };
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = getOwn(schema, key);
  return isJsonObject(value) ? value : {};
}
