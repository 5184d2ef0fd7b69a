/** How an item of an associative list is addressed. */
import { isJsonObject, type Json } from "../json.ts";
import { keyElement, type PathElement, valueElement } from "./path-element.ts";
import type { ListModel } from "./type-model.ts";
import { TypedError } from "./typed-error.ts";

/** The path element of an item; throws `TypedError` in upstream's words when it has none. */
export function itemElement(list: ListModel, item: Json): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListModel, item: Json): PathElement {
  if (item === null) throw new TypedError("associative list with keys may not have a null element");
  if (!isJsonObject(item)) throw new TypedError("associative list with keys may not have non-map elements");
  const keys: [string, Json][] = [];
  for (const name of list.keys) {
    const value = Object.hasOwn(item, name) ? item[name] : list.element.map?.fields.get(name)?.default;
    if (value !== undefined) keys.push([name, value]);
  }
  if (keys.length === 0) {
    const names = list.keys.map((name) => JSON.stringify(name)).join(" ");
    throw new TypedError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(keys);
}

function setElement(item: Json): PathElement {
  if (Array.isArray(item)) throw new TypedError("not supported: associative list with lists as elements");
  if (item === null) throw new TypedError("associative list without keys has an element that's an explicit null");
  if (isJsonObject(item)) throw new TypedError("associative list without keys has an element that's a map type");
  return valueElement(item);
}

/** The items of a list grouped by path element, in order of first appearance. */
export function groupItems(list: ListModel, items: readonly Json[]): Map<PathElement, Json[]> {
  const groups = new Map<PathElement, Json[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}
