/** Uniqueness in lists of type "set" and "map". Items keep their order; only repetitions are reported. */
import { duplicate, type FieldError, invalid } from "../field-error.ts";
import { goJson } from "../go-text.ts";
import { hasKey, isJsonObject, type JsonObject, type SchemaNode } from "./schema-node.ts";

type Identify = (item: unknown) => string | number | boolean | null | undefined;

const identityOf: Identify = (item) =>
  typeof item === "object" && item !== null ? `\u0000${goJson(item)}` : (item as string | number | boolean | null);

/** The first repetition of each value: a third one is not reported again. */
function repeatedIndices(items: readonly unknown[]): number[] {
  if (items.length <= 1) return [];
  const seen = new Map<unknown, number>();
  const repeated: number[] = [];
  for (let i = 0; i < items.length; i++) {
    const id = identityOf(items[i]);
    const times = seen.get(id) ?? 0;
    seen.set(id, times + 1);
    if (times === 1) repeated.push(i);
  }
  return repeated;
}

function keysOf(item: unknown, keys: readonly string[]): JsonObject {
  const found: JsonObject = {};
  if (isJsonObject(item)) for (const key of keys) if (hasKey(item, key)) found[key] = item[key];
  return found;
}

function checkMap(list: readonly unknown[], node: SchemaNode, path: string): FieldError[] {
  const stranger = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0)
    return [invalid(`${path}[${stranger}]`, list[stranger], "must be an object for an array of list-type map")];
  const keys = list.map((item) => keysOf(item, node.listMapKeys));
  return repeatedIndices(keys).map((i) => duplicate(`${path}[${i}]`, keys[i]));
}

function checkList(list: readonly unknown[], node: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (node.listType === "set") errors.push(...repeatedIndices(list).map((i) => duplicate(`${path}[${i}]`, list[i])));
  else if (node.listType === "map") errors.push(...checkMap(list, node, path));
  const items = node.items;
  if (items?.below.keyedLists === true)
    list.forEach((item, i) => {
      errors.push(...checkListTypes(item, items, `${path}[${i}]`));
    });
  return errors;
}

/** Checks every keyed list at and below a value. */
export function checkListTypes(value: unknown, node: SchemaNode, path: string): FieldError[] {
  if (!node.below.keyedLists) return [];
  if (Array.isArray(value)) return checkList(value, node, path);
  if (!isJsonObject(value)) return [];
  const errors: FieldError[] = [];
  for (const key in value) {
    const property = node.properties.get(key);
    if (property !== undefined)
      errors.push(...checkListTypes(value[key], property, path === "" ? key : `${path}.${key}`));
    else if (node.additional !== undefined && node.additional !== true)
      errors.push(...checkListTypes(value[key], node.additional, `${path}[${key}]`));
  }
  return errors;
}
