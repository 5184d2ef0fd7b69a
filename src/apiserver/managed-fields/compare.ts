/** What changed between two values of one type, as three disjoint sets of fields. */
import { isJsonObject, type Json, type JsonObject, jsonEqual } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { groupItems } from "./list-items.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import {
  concreteShape,
  type ListModel,
  type MapModel,
  type Shape,
  shapeOf,
  type TypeModel,
  typeOfKey,
} from "./type-model.ts";

export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

type Maybe = Json | undefined;

/** Compares; throws `TypedError` when an item of an associative list cannot be addressed. */
export function compareTyped(before: Json, after: Json, model: TypeModel): Comparison {
  const comparison = { removed: new FieldSet(), modified: new FieldSet(), added: new FieldSet() };
  new CompareWalker(comparison).visit(before, after, model);
  return comparison;
}

/** The comparison without fields that the endpoint resets anyway. */
export function excludeFields(comparison: Comparison, excluded: FieldSet | undefined): Comparison {
  if (excluded === undefined) return comparison;
  return {
    removed: comparison.removed.recursiveDifference(excluded),
    modified: comparison.modified.recursiveDifference(excluded),
    added: comparison.added.recursiveDifference(excluded),
  };
}

class CompareWalker {
  private readonly comparison: Comparison;
  private readonly path: PathElement[] = [];

  constructor(comparison: Comparison) {
    this.comparison = comparison;
  }

  visit(before: Maybe, after: Maybe, model: TypeModel | undefined): void {
    // The same subtree: nothing below can have changed. This is what makes a small update of a large object cheap.
    if (before === after || model === undefined) return;
    const left = shapeOf(model, before);
    const right = shapeOf(model, after);
    let isLeaf: boolean;
    if (after === undefined) isLeaf = this.as(left, { before, after, model });
    else if (before === undefined || left === right) isLeaf = this.as(right, { before, after, model });
    else {
      this.as(left, { before, after, model });
      isLeaf = this.as(right, { before, after, model });
    }
    if (!isLeaf && before === undefined) this.comparison.added.insert(this.path);
    else if (!isLeaf && after === undefined) this.comparison.removed.insert(this.path);
  }

  /** Compares as one shape; answers whether it ended here, as a leaf. */
  private as(shape: Shape, { before, after, model }: { before: Maybe; after: Maybe; model: TypeModel }): boolean {
    const concrete = concreteShape(model, shape);
    if (concrete === "map" && model.map !== undefined) return this.maps(before, after, model.map);
    if (concrete === "list" && model.list !== undefined) return this.lists(before, after, model.list);
    return this.leaf(before, after);
  }

  private leaf(before: Maybe, after: Maybe): boolean {
    if (before === undefined) this.comparison.added.insert(this.path);
    else if (after === undefined) this.comparison.removed.insert(this.path);
    else if (!jsonEqual(before, after)) this.comparison.modified.insert(this.path);
    return true;
  }

  private maps(before: Maybe, after: Maybe, map: MapModel): boolean {
    const left: JsonObject = isJsonObject(before) ? before : {};
    const right: JsonObject = isJsonObject(after) ? after : {};
    const leftKeys = Object.keys(left);
    const rightKeys = Object.keys(right);
    if (map.relationship === "atomic" || (leftKeys.length === 0 && rightKeys.length === 0))
      return this.leaf(before, after);
    for (const key of leftKeys) this.step(fieldElement(key), [left[key], own(right, key)], typeOfKey(map, key));
    for (const key of rightKeys) {
      if (!Object.hasOwn(left, key)) this.step(fieldElement(key), [undefined, right[key]], typeOfKey(map, key));
    }
    return false;
  }

  private step(element: PathElement, [before, after]: readonly [Maybe, Maybe], model: TypeModel | undefined): void {
    this.path.push(element);
    this.visit(before, after, model);
    this.path.pop();
  }

  private lists(before: Maybe, after: Maybe, list: ListModel): boolean {
    const left = Array.isArray(before) ? before : [];
    const right = Array.isArray(after) ? after : [];
    if (list.relationship === "atomic" || (left.length === 0 && right.length === 0)) return this.leaf(before, after);
    // Most updates leave most lists alone, and comparing is cheaper than addressing every item.
    if (jsonEqual(before, after)) return true;
    const leftItems = groupItems(list, left);
    const rightItems = groupItems(list, right);
    for (const element of new Set([...leftItems.keys(), ...rightItems.keys()])) {
      this.items(element, [leftItems.get(element) ?? [], rightItems.get(element) ?? []], list.element);
    }
    return false;
  }

  /** Items under one key: one to one as a rule; several under the same key count as one marker. */
  private items(
    element: PathElement,
    [left, right]: readonly [readonly Json[], readonly Json[]],
    model: TypeModel,
  ): void {
    const path = [...this.path, element];
    if (left.length <= 1 && right.length <= 1) this.step(element, [left[0], right[0]], model);
    else if (left.length >= 2 && right.length >= 2) {
      if (!jsonEqual([...left], [...right])) this.comparison.modified.insert(path);
    } else if (left.length >= 2) {
      if (right.length > 0) this.step(element, [undefined, right[0]], model);
      this.comparison.removed.insert(path);
    } else {
      if (left.length > 0) this.step(element, [left[0], undefined], model);
      this.comparison.added.insert(path);
    }
  }
}

const own = (object: JsonObject, key: string): Maybe => (Object.hasOwn(object, key) ? object[key] : undefined);
