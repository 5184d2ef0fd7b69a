/** The set of fields that a configuration mentions. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { groupItems } from "./list-items.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { concreteShape, type ListModel, type MapModel, shapeOf, type TypeModel, typeOfKey } from "./type-model.ts";

/** Every leaf, every key of a free map and every item of an associative list. */
export function toFieldSet(value: Json, model: TypeModel): FieldSet {
  const set = new FieldSet();
  new FieldSetWalker(set).visit(value, model);
  return set;
}

class FieldSetWalker {
  private readonly set: FieldSet;
  private readonly path: PathElement[] = [];

  constructor(set: FieldSet) {
    this.set = set;
  }

  visit(value: Json, model: TypeModel | undefined): void {
    if (model === undefined) return;
    const shape = concreteShape(model, shapeOf(model, value));
    if (shape === "map" && model.map !== undefined) this.visitMap(value, model.map);
    else if (shape === "list" && model.list !== undefined) this.visitList(value, model.list);
    else this.set.insert(this.path);
  }

  private visitMap(value: Json, map: MapModel): void {
    if (map.relationship === "atomic") this.set.insert(this.path);
    else if (isJsonObject(value)) this.visitEntries(value, map);
  }

  private visitEntries(value: JsonObject, map: MapModel): void {
    for (const key of Object.keys(value)) {
      const item = value[key] as Json;
      this.path.push(fieldElement(key));
      this.visit(item, typeOfKey(map, key));
      const isBare = item === null || (isJsonObject(item) && Object.keys(item).length === 0);
      if (isBare || !map.fields.has(key)) this.set.insert(this.path);
      this.path.pop();
    }
  }

  private visitList(value: Json, list: ListModel): void {
    if (list.relationship === "atomic") this.set.insert(this.path);
    else if (Array.isArray(value)) this.visitItems(value, list);
  }

  private visitItems(items: readonly Json[], list: ListModel): void {
    for (const [element, group] of groupItems(list, items)) {
      this.path.push(element);
      // Items that share a key cannot be told apart, so only the key as such is mentioned.
      if (group.length === 1) this.visit(group[0] as Json, list.element);
      this.set.insert(this.path);
      this.path.pop();
    }
  }
}
