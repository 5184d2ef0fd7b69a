/** Takes fields out of a value, by path. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { FieldSet } from "./field-set.ts";
import { itemElement } from "./list-items.ts";
import { fieldElement } from "./path-element.ts";
import { concreteShape, type ListModel, type MapModel, shapeOf, type TypeModel, typeOfKey } from "./type-model.ts";

/** The value without the fields of the set; a container that loses everything becomes null, as upstream leaves it. */
export function removeItems(value: Json, removed: FieldSet, model: TypeModel | undefined): Json {
  if (model === undefined) return value;
  const shape = concreteShape(model, shapeOf(model, value));
  if (shape === "map" && model.map !== undefined) return removeFromMap(value, removed, model.map);
  if (shape === "list" && model.list !== undefined) return removeFromList(value, removed, model.list);
  return value;
}

function removeFromMap(value: Json, removed: FieldSet, map: MapModel): Json {
  if (!isJsonObject(value) || map.relationship === "atomic") return null;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    const element = fieldElement(key);
    if (removed.members.has(element)) continue;
    const below = removed.children.get(element);
    const item = value[key] as Json;
    kept[key] = below === undefined || below.isEmpty ? item : removeItems(item, below, typeOfKey(map, key));
  }
  return Object.keys(kept).length === 0 ? null : kept;
}

function removeFromList(value: Json, removed: FieldSet, list: ListModel): Json {
  if (!Array.isArray(value) || list.relationship === "atomic") return null;
  const kept: Json[] = [];
  for (const item of value) {
    const element = itemElement(list, item);
    if (removed.members.has(element)) continue;
    const below = removed.children.get(element);
    kept.push(below === undefined || below.isEmpty ? item : removeItems(item, below, list.element));
  }
  return kept.length === 0 ? null : kept;
}
