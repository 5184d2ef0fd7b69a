/**
 * Strategic merge patch: a merge patch that knows which lists are merged by key, with the directives `$patch`,
 * `$retainKeys`, `$setElementOrder` and `$deleteFromPrimitiveList`. It never changes its inputs.
 */
import { goPlain, goTypeOf } from "../decode/go-format.ts";
import { cloneJson, getOwn, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { PatchError } from "./patch-error.ts";
import { mergeKeyOf, orderItems, partition, validateOrder } from "./strategic-lists.ts";
import { type FieldStrategy, fieldStrategy, type StrategicSchema, structSchema } from "./strategic-schema.ts";

const DIRECTIVE = "$patch";
const RETAIN_KEYS = "$retainKeys";
const DELETE_PREFIX = "$deleteFromPrimitiveList";
const ORDER_PREFIX = "$setElementOrder";

/** The object after the patch. `struct` names the built-in type (`core.Service`). */
export function applyStrategicMergePatch(object: JsonObject, patch: JsonObject, struct: string): JsonObject {
  return mergeMap(cloneJson(object), cloneJson(patch), structSchema(struct));
}

/** The answer for kinds that have no struct, custom resources above all. */
export const unsupportedStrategicMerge = (): PatchError =>
  PatchError.badRequest("strategic merge patch format is not supported");

function mergeMap(original: JsonObject, patch: JsonObject, schema: StrategicSchema): JsonObject {
  if (Object.hasOwn(patch, DIRECTIVE)) return applyDirective(patch);
  retainKeys(original, patch);
  mergeOrderedLists(original, patch, schema);
  for (const key of Object.keys(patch)) {
    if (key.startsWith(DELETE_PREFIX)) deleteFromList(original, key, patch[key] as Json);
    else mergeKey(original, { key, value: patch[key] as Json }, schema);
  }
  return original;
}

/** `$patch: replace` takes the patch as it is, `$patch: delete` empties the map. */
function applyDirective(patch: JsonObject): JsonObject {
  const { [DIRECTIVE]: directive, ...rest } = patch;
  if (directive === "replace") return rest;
  if (directive === "delete") return {};
  throw PatchError.internal(`unknown patch type: ${String(directive)} in map: ${goPlain(patch)}`);
}

function mergeKey(original: JsonObject, { key, value }: { key: string; value: Json }, schema: StrategicSchema): void {
  const current = getOwn(original, key);
  if (value === null) delete original[key];
  else if (isJsonObject(value) && isJsonObject(current)) {
    const { below, strategy } = fieldStrategy(schema, key);
    original[key] = strategy === "replace" ? value : mergeMap(current, value, below);
  } else if (Array.isArray(value) && Array.isArray(current)) {
    original[key] = mergeList(current, value, fieldStrategy(schema, key));
  } else take(original, key, value);
}

/** Takes the patch's value where there is nothing of its kind to merge with. */
function take(original: JsonObject, key: string, value: Json): void {
  const plain = withoutDirectives(withoutNulls(value));
  if (plain === undefined) delete original[key];
  else original[key] = plain;
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNulls(item)]));
}

/** Undefined for a map that is itself an instruction. */
function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  const plain: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = withoutDirectives(value[key] as Json);
    if (item !== undefined) plain[key] = item;
  }
  return plain;
}

/** `$retainKeys` lists all keys the map may keep; the patch may set no other. */
function retainKeys(original: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return;
  const list = patch[RETAIN_KEYS];
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(list)) throw PatchError.badRequest("invalid patch format of retainKeys");
  for (const [key, value] of Object.entries(patch)) {
    const isDirective = key.startsWith(DELETE_PREFIX) || key.startsWith(ORDER_PREFIX);
    if (value !== null && !isDirective && !list.includes(key)) {
      throw PatchError.badRequest("invalid patch format of retainKeys");
    }
  }
  for (const key of Object.keys(original)) if (!list.includes(key)) delete original[key];
}

function deleteFromList(original: JsonObject, key: string, value: Json): void {
  const name = directiveKey(key, DELETE_PREFIX, "primitive list");
  const current = getOwn(original, name);
  if (value === null) delete original[name];
  if (!Array.isArray(current) || !Array.isArray(value)) return;
  if ([...current, ...value].some(isJsonObject)) throw PatchError.internal("list element types are not identical");
  original[name] = current.filter((item) => !value.includes(item));
}

function directiveKey(key: string, prefix: string, what: string): string {
  const slash = key.indexOf("/");
  if (slash === -1 || key.slice(0, slash) !== prefix) throw PatchError.badRequest(`invalid patch format of ${what}`);
  return key.slice(slash + 1);
}

/** Merges every list that comes with an order, and takes both out of the patch. */
function mergeOrderedLists(original: JsonObject, patch: JsonObject, schema: StrategicSchema): void {
  for (const directive of Object.keys(patch).filter((key) => key.startsWith(ORDER_PREFIX))) {
    const order = listAt(patch, directive) ?? [];
    delete patch[directive];
    const key = directiveKey(directive, ORDER_PREFIX, "setElementOrder list");
    const current = listAt(original, key);
    const change = listAt(patch, key);
    const field = fieldStrategy(schema, key);
    validateOrder(change ?? [], order, field.mergeKey);
    const merged = mergeMaybe(current, change, field);
    if (merged === undefined) continue;
    original[key] = orderItems(partition(merged, order, field.mergeKey), {
      order,
      serverOrder: current ?? [],
      mergeKey: field.mergeKey,
    });
    delete patch[key];
  }
}

function mergeMaybe(current: Json[] | undefined, change: Json[] | undefined, field: FieldStrategy): Json[] | undefined {
  if (change === undefined) return current;
  return current === undefined ? (withoutDirectives(change) as Json[]) : mergeList(current, change, field);
}

function listAt(map: JsonObject, key: string): Json[] | undefined {
  const value = getOwn(map, key);
  if (value === undefined || Array.isArray(value)) return value;
  throw PatchError.internal(
    `expected a []interface {}, but received a ${value === null ? "%!s(<nil>)" : goTypeOf(value)}`,
  );
}

function mergeList(current: Json[], change: Json[], { below, strategy, mergeKey }: FieldStrategy): Json[] {
  if (strategy !== "merge") return change;
  if (current.length === 0 && change.length === 0) return current;
  const hasMaps = [...current, ...change].some(isJsonObject);
  if ([...current, ...change].some(Array.isArray)) throw PatchError.doesNotApply("lists of lists are not supported");
  if (!hasMaps) {
    const merged = [...new Set([...current, ...change])];
    return orderItems(partition(merged, change, undefined), {
      order: change,
      serverOrder: current,
      mergeKey: undefined,
    });
  }
  if (mergeKey === undefined) throw PatchError.internal("cannot merge lists without merge key");
  return mergeKeyedList(current, change, { below, mergeKey });
}

function mergeKeyedList(
  current: Json[],
  change: Json[],
  { below, mergeKey }: { below: StrategicSchema; mergeKey: string },
): Json[] {
  const { original, patch } = applyListDirectives(current.map(asMap), change.map(asMap), mergeKey);
  const merged = [...original];
  for (const item of patch) {
    const key = mergeKeyOf(item, mergeKey);
    const index = merged.findIndex((candidate) => getOwn(candidate, mergeKey) === key);
    if (index === -1) merged.push(item);
    else merged[index] = mergeMap(merged[index] as JsonObject, item, below);
  }
  return orderItems(partition(merged, patch, mergeKey), { order: patch, serverOrder: original, mergeKey });
}

function asMap(item: Json): JsonObject {
  if (isJsonObject(item)) return item;
  throw PatchError.internal("list element types are not identical");
}

/** Items that are instructions: delete the item of that key, or replace the whole list by the others. */
function applyListDirectives(
  original: JsonObject[],
  patch: JsonObject[],
  mergeKey: string,
): { original: JsonObject[]; patch: JsonObject[] } {
  let left = original;
  let replaces = false;
  for (const item of patch) {
    const directive = getOwn(item, DIRECTIVE);
    if (directive === undefined) continue;
    if (directive === "replace") replaces = true;
    else if (directive === "delete") {
      const key = mergeKeyOf(item, mergeKey);
      left = left.filter((candidate) => getOwn(candidate, mergeKey) !== key);
    } else if (directive === "merge") throw PatchError.internal("merging lists cannot yet be specified in the patch");
    else throw PatchError.internal(`unknown patch type: ${String(directive)} in map: ${goPlain(item)}`);
  }
  const items = patch.filter((item) => !Object.hasOwn(item, DIRECTIVE));
  return replaces ? { original: items, patch: [] } : { original: left, patch: items };
}
