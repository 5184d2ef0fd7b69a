/** Fills in defaults and drops nulls that mean "not set", in place. Values put in are copies: objects never share a default. */
import { hasKey, isJsonObject, type JsonObject, type SchemaNode, setKey } from "./schema-node.ts";

/** A deep copy of JSON data. */
export function copyJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setKey(copy, key, copyJson((value as JsonObject)[key]));
  return copy as T;
}

function schemaForKey(node: SchemaNode | undefined, key: string): SchemaNode | undefined {
  const property = node?.properties.get(key);
  if (property !== undefined) return property;
  return node?.additional === true ? undefined : node?.additional;
}

/** Removes null fields that are neither nullable nor have a default to take their place. */
export function dropNulls(value: unknown, node: SchemaNode | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item, node?.items);
  } else if (isJsonObject(value)) {
    for (const key in value) {
      const child = schemaForKey(node, key);
      if (value[key] !== null) dropNulls(value[key], child);
      else if (child !== undefined && !child.nullable && child.default === undefined) delete value[key];
    }
  }
}

const isUnset = (value: unknown, node: SchemaNode): boolean => value === null && !node.nullable;

function defaultProperty(object: JsonObject, key: string, property: SchemaNode): void {
  const missing = !hasKey(object, key);
  if (property.default !== undefined && (missing || isUnset(object[key], property)))
    setKey(object, key, copyJson(property.default));
  else if (missing) return;
  fillDefaults(object[key], property);
}

function defaultObject(object: JsonObject, node: SchemaNode): void {
  for (const [key, property] of node.properties) if (property.below.defaults) defaultProperty(object, key, property);
  const additional = node.additional;
  if (additional === undefined || additional === true) return;
  for (const key in object) {
    if (node.properties.has(key)) continue;
    if (isUnset(object[key], additional)) object[key] = copyJson(additional.default ?? null);
    fillDefaults(object[key], additional);
  }
}

/** Puts defaults where fields are missing, at every depth. */
export function fillDefaults(value: unknown, node: SchemaNode | undefined): void {
  if (node === undefined || typeof value !== "object" || value === null || !node.below.defaults) return;
  if (!Array.isArray(value)) defaultObject(value as JsonObject, node);
  else if (node.items !== undefined)
    for (let i = 0; i < value.length; i++) {
      if (isUnset(value[i], node.items)) value[i] = copyJson(node.items.default ?? null);
      fillDefaults(value[i], node.items);
    }
}

/** Nulls first, then defaults: what upstream does to every object it decodes. */
export function applyDefaults(object: JsonObject, root: SchemaNode): void {
  dropNulls(object, root);
  fillDefaults(object, root);
}
