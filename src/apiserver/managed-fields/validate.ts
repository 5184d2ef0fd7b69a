/** Whether a configuration fits its type model, with upstream's complaints. */

import { goPlain, goSyntax, goTypeOf } from "../decode/go-format.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { itemElement } from "./list-items.ts";
import { fieldElement, formatPathElement, type PathElement } from "./path-element.ts";
import {
  concreteShape,
  type ListModel,
  type MapModel,
  type ScalarModel,
  shapeOf,
  type TypeModel,
} from "./type-model.ts";
import { formatProblems, TypedError, type TypedProblem } from "./typed-error.ts";

/** Throws `TypedError` naming every field that does not fit; repeated items of associative lists do not. */
export function validateTyped(value: Json, model: TypeModel): void {
  const problems = check(value, model);
  if (problems.length > 0) throw new TypedError(formatProblems(problems));
}

function check(value: Json, model: TypeModel): TypedProblem[] {
  const shape = concreteShape(model, shapeOf(model, value));
  if (shape === "map" && model.map !== undefined) return checkMap(value, model.map);
  if (shape === "list" && model.list !== undefined) return checkList(value, model.list);
  return checkScalar(value, model.scalar ?? "untyped");
}

const problem = (message: string): TypedProblem[] => [{ path: "", message }];

const below = (element: PathElement, problems: readonly TypedProblem[]): TypedProblem[] =>
  problems.map(({ path, message }) => ({ path: formatPathElement(element) + path, message }));

const SCALAR_TYPES: Record<ScalarModel, readonly string[]> = {
  numeric: ["number"],
  string: ["string"],
  boolean: ["boolean"],
  untyped: ["number", "string", "boolean"],
};

function checkScalar(value: Json, scalar: ScalarModel): TypedProblem[] {
  if (value === null || SCALAR_TYPES[scalar].includes(typeof value)) return [];
  if (scalar === "numeric") return problem(`expected numeric (int or float), got ${goTypeOf(value)}`);
  if (scalar === "string") return problem(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
  return problem(`expected ${scalar === "boolean" ? "boolean" : "any scalar"}, got &{${goPlain(value)}}`);
}

function checkMap(value: Json, map: MapModel): TypedProblem[] {
  if (value === null) return [];
  if (!isJsonObject(value)) return problem(`expected map, got &{${goPlain(value)}}`);
  return Object.keys(value).flatMap((key) => checkField(value, key, map));
}

function checkField(value: JsonObject, key: string, map: MapModel): TypedProblem[] {
  const model = map.fields.get(key)?.type ?? map.element;
  const problems = model === undefined ? problem("field not declared in schema") : check(value[key] as Json, model);
  return below(fieldElement(key), problems);
}

function checkList(value: Json, list: ListModel): TypedProblem[] {
  if (value === null) return [];
  if (!Array.isArray(value)) return problem(`expected list, got &{${goPlain(value)}}`);
  if (list.relationship === "atomic") return value.flatMap((item, i) => below(`i:${i}`, check(item, list.element)));
  const seen = new Set<PathElement>();
  const problems: TypedProblem[] = [];
  for (const [index, item] of value.entries()) {
    const element = elementOrProblem(list, item, index);
    // Without a path element nothing further about this list can be said.
    if (typeof element !== "string") return [...problems, element];
    if (seen.has(element)) problems.push(...problem(`duplicate entries for key ${formatPathElement(element)}`));
    seen.add(element);
    problems.push(...below(element, check(item, list.element)));
  }
  return problems;
}

function elementOrProblem(list: ListModel, item: Json, index: number): PathElement | TypedProblem {
  try {
    return itemElement(list, item);
  } catch (error) {
    if (error instanceof TypedError) return { path: "", message: `element ${index}: ${error.message}` };
    throw error;
  }
}
