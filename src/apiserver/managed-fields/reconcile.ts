/** Adapts stored field sets to a schema that has since made something atomic. */
import { FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";
import { concreteShape, deduced, type MapModel, type TypeModel, typeOfKey } from "./type-model.ts";

interface Visit {
  readonly path: readonly PathElement[];
  readonly set: FieldSet | undefined;
  /** Already owned as one piece. */
  readonly isAtomic: boolean;
}

/** Sets that were found to fit a model, so that only the first write after a change of schema looks at them. */
const fitting = new WeakMap<FieldSet, TypeModel>();

/** The set with everything below a field that is now atomic replaced by that field. */
export function reconcileWithModel(set: FieldSet, model: TypeModel): FieldSet {
  if (fitting.get(set) === model) return set;
  const result = reconcile(set, model);
  fitting.set(result, model);
  return result;
}

function reconcile(set: FieldSet, model: TypeModel): FieldSet {
  const collapsed = new FieldSet();
  collect(model, { path: [], set, isAtomic: false }, collapsed);
  return collapsed.isEmpty ? set : set.recursiveDifference(collapsed).union(collapsed);
}

function collect(model: TypeModel, visit: Visit, collapsed: FieldSet): void {
  const shape = concreteShape(model, "any");
  const container = shape === "map" ? model.map : shape === "list" ? model.list : undefined;
  if (container === undefined || (shape === "map" && isSchemaless(model.map as MapModel))) return;
  if (!visit.isAtomic && container.relationship === "atomic") {
    if (shape === "list" || visit.set?.isEmpty === false) collapsed.insert(visit.path);
    return;
  }
  if (visit.set !== undefined) descend(model, { ...visit, set: visit.set }, collapsed);
}

function descend(model: TypeModel, { path, set }: Visit & { readonly set: FieldSet }, collapsed: FieldSet): void {
  for (const element of new Set([...set.children.keys(), ...set.members])) {
    const child = childModel(model, element);
    const below = set.children.get(element);
    const isAtomic = set.members.has(element) && below === undefined;
    if (child !== undefined) collect(child, { path: [...path, element], set: below, isAtomic }, collapsed);
  }
}

function childModel(model: TypeModel, element: PathElement): TypeModel | undefined {
  if (model.map === undefined) return model.list?.element;
  return element.startsWith("f:") ? typeOfKey(model.map, element.slice(2)) : model.map.element;
}

const isSchemaless = (map: MapModel): boolean => map.element === deduced && map.fields.size === 0;
