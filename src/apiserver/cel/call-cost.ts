/** What a call costs at run time: by the sizes of what it works on, as upstream counts. */
import { regexFor } from "./regex.ts";
import { isMap, JsonMap, ListValue, ObjectValue, Optional, Preserved, type Value } from "./values.ts";

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

/** Short patterns can be large programs, so it is the program that counts. */
function regex(text: Value | undefined, pattern: Value | undefined): number {
  const size = typeof pattern === "string" ? Math.max(pattern.length, regexFor(pattern).programSize() / 4) : 1;
  return Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(size * perRegexCharacter);
}

/** How many pieces of data are in a value; comparing looks at all of them, which upstream does not count. */
function weightOf(data: unknown): number {
  if (typeof data !== "object" || data === null) return 1;
  let weight = 1;
  for (const child of Array.isArray(data) ? data : Object.values(data)) weight += weightOf(child);
  return weight;
}

function weight(value: Value | undefined): number {
  if (value instanceof ObjectValue || value instanceof JsonMap) return weightOf(value.json);
  if (value instanceof Preserved) return weightOf(value.json);
  return value instanceof ListValue ? weightOf(value.raw) : sizeOf(value);
}

const smaller = ([a, b]: readonly Value[]): number => {
  const factor = isCompound(a) && isCompound(b) ? 0.5 : perCharacter;
  return Math.ceil(Math.min(weight(a), weight(b)) * factor);
};

/** Comparing everything with everything. */
const pairs = ([a, b]: readonly Value[]): number => {
  const deep = Math.max(1, (weight(a) / Math.max(1, sizeOf(a))) * perCharacter);
  return Math.ceil(sizeOf(a) * sizeOf(b) * deep);
};

/** What a replacement can grow to: it is paid before it is built. */
function replacing([target, old, fresh]: readonly Value[]): number {
  const [size, from, to] = [sizeOf(target), sizeOf(old), sizeOf(fresh)];
  const most = from === 0 ? size + 1 : Math.floor(size / from);
  return Math.ceil((2 * size + most * Math.max(0, to - from)) * perCharacter);
}

function joining([list, separator]: readonly Value[]): number {
  if (!(list instanceof ListValue)) return 1;
  let size = list.size * sizeOf(separator);
  for (const item of list) size += sizeOf(item);
  return Math.ceil(size * 2 * perCharacter);
}

type Cost = (args: readonly Value[]) => number;

const byOverload: Readonly<Record<string, Cost>> = {
  in_list: ([item, list]) => sizeOf(list) + (isCompound(item) ? Math.ceil(weight(list) * perCharacter) : 0),
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
  format: ([a, list]) => chars(a) + Math.ceil(joining([list ?? null]) / 2),
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
  replace: replacing,
  join: joining,
  charAt: ([a]) => chars(a),
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
  distinct: ([a = null]) => pairs([a, a]),
  "sets.contains": pairs,
  "sets.equivalent": (args) => 2 * pairs(args),
  "sets.intersects": pairs,
  "lists.range": ([a]) => (typeof a === "bigint" ? Number(a) : 1),
};

const isCompound = (value: Value | undefined): boolean =>
  value instanceof ObjectValue || value instanceof ListValue || value instanceof JsonMap;

/** One unit, and a little for long texts: nothing that looks at all of a value is free in a loop. */
const one: Cost = (args) => {
  let cost = 1;
  // Counting the keys of a map from data is dearer than counting characters.
  for (const arg of args) cost += Math.floor(sizeOf(arg) / (arg instanceof JsonMap ? 2 : 200));
  return cost;
};

/** How calls of a function are charged, given the overloads it may resolve to. Paid before the call runs. */
export function callCost(fn: string, overloads: readonly string[]): Cost {
  const [only] = overloads;
  const exact = overloads.length === 1 && only !== undefined ? byOverload[only] : undefined;
  return exact ?? byFunction[fn] ?? fallback(fn);
}

/** Equality and addition whose overload is only known at run time are charged by size. */
function fallback(fn: string): Cost {
  if (fn === "_==_" || fn === "_!=_") return smaller;
  if (fn === "@in") return ([, container]) => (container instanceof ListValue ? weight(container) : 1);
  return fn === "_+_" ? ([a, b]) => 1 + Math.ceil((sizeOf(a) + sizeOf(b)) * perCharacter) : one;
}
