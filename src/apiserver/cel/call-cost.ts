/** What a call costs at run time: by the sizes of what it works on, as upstream counts. */
import { isMap, ListValue, Optional, type Value } from "./values.ts";

const perCharacter = 0.1;
const perRegexCharacter = 0.25;

function sizeOf(value: Value | undefined): number {
  if (typeof value === "string") return value.length;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof ListValue || (value !== undefined && isMap(value))) return value.size;
  return value instanceof Optional && value.value !== undefined ? sizeOf(value.value) : 1;
}

/** The cost of looking at everything in a value once. */
function traversal(value: Value | undefined): number {
  if (typeof value === "string" || value instanceof Uint8Array) return Math.floor(value.length * perCharacter);
  if (!(value instanceof ListValue)) return 1;
  let cost = 0;
  for (const item of value) cost += traversal(item);
  return cost;
}

const chars = (value: Value | undefined, factor = perCharacter): number => Math.ceil(sizeOf(value) * factor);
const regex = (text: Value | undefined, pattern: Value | undefined): number =>
  Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(sizeOf(pattern) * perRegexCharacter);
const smaller = ([a, b]: readonly Value[]): number => Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * perCharacter);

type Cost = (args: readonly Value[]) => number;

const byOverload: Readonly<Record<string, Cost>> = {
  in_list: ([, list]) => sizeOf(list),
  equals: smaller,
  not_equals: smaller,
  add_string: ([a, b]) => Math.ceil((sizeOf(a) + sizeOf(b)) * perCharacter),
  add_bytes: ([a, b]) => Math.ceil((sizeOf(a) + sizeOf(b)) * perCharacter),
  /** Upstream calls this 1 because it shares lists; we copy, so it is paid for. */
  add_list: ([a, b]) => 1 + Math.ceil((sizeOf(a) + sizeOf(b)) * perCharacter),
};

const byFunction: Readonly<Record<string, Cost>> = {
  startsWith: ([a]) => chars(a),
  endsWith: ([a]) => chars(a),
  bytes: ([a]) => chars(a),
  "strings.quote": ([a]) => chars(a),
  format: ([a]) => chars(a),
  matches: ([a, b]) => regex(a, b),
  contains: ([a, b]) => chars(a) * chars(b),
  "_<_": smaller,
  "_<=_": smaller,
  "_>_": smaller,
  "_>=_": smaller,
  isSorted: ([a]) => traversal(a),
  sum: ([a]) => traversal(a),
  max: ([a]) => traversal(a),
  min: ([a]) => traversal(a),
  indexOf: ([a]) => traversal(a),
  lastIndexOf: ([a]) => traversal(a),
  url: ([a]) => chars(a),
  lowerAscii: ([a]) => chars(a),
  upperAscii: ([a]) => chars(a),
  substring: ([a]) => chars(a),
  trim: ([a]) => chars(a),
  replace: ([a, , c]) => chars(a, 2 * perCharacter) + sizeOf(c) * perCharacter,
  split: ([a]) => chars(a, 2 * perCharacter),
  find: ([a, b]) => regex(a, b),
  findAll: ([a, b]) => regex(a, b),
  validate: ([, b]) => Math.ceil((1 + sizeOf(b)) * perCharacter) * 32,
  quantity: ([a]) => chars(a),
  isQuantity: ([a]) => chars(a),
  semver: ([a]) => chars(a),
  isSemver: ([a]) => chars(a),
  ip: ([a]) => chars(a),
  isIP: ([a]) => chars(a),
  cidr: ([a]) => chars(a),
  isCIDR: ([a]) => chars(a),
  sort: ([a]) => traversal(a),
  flatten: ([a]) => traversal(a),
  slice: ([a]) => sizeOf(a),
  reverse: ([a]) => sizeOf(a),
  distinct: ([a]) => sizeOf(a) ** 2,
  "sets.contains": ([a, b]) => sizeOf(a) * sizeOf(b),
  "sets.equivalent": ([a, b]) => 2 * sizeOf(a) * sizeOf(b),
  "sets.intersects": ([a, b]) => sizeOf(a) * sizeOf(b),
  "lists.range": ([a]) => (typeof a === "bigint" ? Number(a) : 1),
};

const one: Cost = () => 1;
const nothing = (): number => 0;

export interface CallCost {
  /** Paid before the call runs, so that an expensive one never starts without money. */
  readonly before: Cost;
  readonly after: (result: Value) => number;
}

/** How calls of a function are charged, given the overloads it may resolve to. */
export function callCost(fn: string, overloads: readonly string[]): CallCost {
  if (fn === "join") return { before: nothing, after: (result) => chars(result, 2 * perCharacter) };
  const [only] = overloads;
  const before =
    (overloads.length === 1 && only !== undefined ? byOverload[only] : undefined) ?? byFunction[fn] ?? fallback(fn);
  return { before, after: nothing };
}

/** Equality and addition whose overload is only known at run time are charged by size. */
function fallback(fn: string): Cost {
  if (fn === "_==_" || fn === "_!=_") return smaller;
  if (fn === "@in") return ([, container]) => (container instanceof ListValue ? container.size : 1);
  return fn === "_+_" ? ([a, b]) => 1 + Math.ceil((sizeOf(a) + sizeOf(b)) * perCharacter) : one;
}
