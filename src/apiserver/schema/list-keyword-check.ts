/** x-kubernetes-list-type and -list-map-keys: what they may be, and what their items must be then. */
import { type FieldError, forbidden, invalid, notSupported, required } from "../field-error.ts";
import type { JsonSchema } from "./json-schema.ts";

const itemsOf = (schema: JsonSchema): JsonSchema | undefined =>
  schema.items === undefined || schema.items === null || Array.isArray(schema.items)
    ? undefined
    : (schema.items as JsonSchema);

function typeErrors(schema: JsonSchema, listType: string, path: string): FieldError[] {
  if (schema.type !== "array") {
    const detail = "must be array if x-kubernetes-list-type is specified";
    return [schema.type ? invalid(`${path}.type`, schema.type, detail) : required(`${path}.type`, detail)];
  }
  const items = itemsOf(schema);
  if (listType !== "set" || items === undefined) return [];
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const inner = items["x-kubernetes-list-type"];
  if (items.type === "array" && inner !== undefined && inner !== "atomic")
    return [invalid(`${path}.items.x-kubernetes-list-type`, inner, detail)];
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic")
    return [invalid(`${path}.items.x-kubernetes-map-type`, inner ?? null, detail)];
  return [];
}

function keyErrors(schema: JsonSchema, items: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  keys.forEach((key, i) => {
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
    if (property === undefined)
      errors.push(invalid(`${path}.x-kubernetes-list-map-keys`, keys, "entries must all be names of item properties"));
    else if (property.type === "array" || property.type === "object")
      errors.push(
        invalid(
          `${path}.items.properties[${key}].type`,
          items.type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (keys.indexOf(key) < i)
      errors.push(invalid(`${path}.x-kubernetes-list-map-keys`, keys, "must not contain duplicate entries"));
  });
  return errors;
}

function mapErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if ((schema["x-kubernetes-list-map-keys"] ?? []).length === 0)
    errors.push(required(`${path}.x-kubernetes-list-map-keys`, "must not be empty if x-kubernetes-list-type is map"));
  const items = itemsOf(schema);
  if (items === undefined)
    errors.push(required(`${path}.items`, "must have a schema if x-kubernetes-list-type is map"));
  else if (items.type !== "object")
    errors.push(
      invalid(`${path}.items.type`, items.type ?? "", "must be object if parent array's x-kubernetes-list-type is map"),
    );
  else errors.push(...keyErrors(schema, items, path));
  return errors;
}

function keyPresenceErrors(items: JsonSchema, key: string, path: string): FieldError[] {
  const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
  if (property === undefined) return [];
  const errors: FieldError[] = [];
  const at = `${path}.items.properties[${key}]`;
  const isIn = "this property is in x-kubernetes-list-map-keys, so it";
  if (!items.required?.includes(key) && (property.default === undefined || property.default === null))
    errors.push(required(`${at}.default`, `${isIn} must have a default or be a required property`));
  if (property.nullable === true) errors.push(forbidden(`${at}.nullable`, `${isIn} cannot be nullable`));
  return errors;
}

/** Keys tell items apart, so they must always be there. */
function presenceErrors(schema: JsonSchema, listType: string, path: string): FieldError[] {
  const items = itemsOf(schema);
  if (items === undefined || (listType !== "set" && listType !== "map")) return [];
  const errors: FieldError[] = [];
  if (items.nullable === true)
    errors.push(forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  if (listType !== "map") return errors;
  return [
    ...errors,
    ...(schema["x-kubernetes-list-map-keys"] ?? []).flatMap((key) => keyPresenceErrors(items, key, path)),
  ];
}

/** Everything wrong with the list keywords of one schema. */
export function checkListKeywords(schema: JsonSchema, path: string): FieldError[] {
  const listType = schema["x-kubernetes-list-type"] ?? undefined;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const errors: FieldError[] = [];
  if (listType !== undefined) {
    errors.push(...typeErrors(schema, listType, path));
    if (!["atomic", "set", "map"].includes(listType))
      errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ["atomic", "set", "map"]));
  }
  const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
  if (keys.length > 0 && listType === undefined) errors.push(required(`${path}.x-kubernetes-list-type`, detail));
  else if (keys.length > 0 && listType !== "map")
    errors.push(invalid(`${path}.x-kubernetes-list-type`, listType, detail));
  if (listType === "map") errors.push(...mapErrors(schema, path));
  return listType === undefined ? errors : [...errors, ...presenceErrors(schema, listType, path)];
}
