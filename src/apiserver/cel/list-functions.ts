/** The list and set libraries of rules. */
import { add } from "./arithmetic.ts";
import { compare, equals } from "./equality.ts";
import { integer } from "./string-functions.ts";
import { CelError, Duration, isMap, ListValue, noSuchOverload, type Value } from "./values.ts";

type Fn = (args: readonly Value[]) => Value;

function list(value: Value | undefined): ListValue {
  if (!(value instanceof ListValue)) throw noSuchOverload();
  return value;
}

const onList =
  (fn: (items: readonly Value[]) => Value): Fn =>
  ([target]) =>
    fn([...list(target)]);

function extreme(name: string, wanted: number): Fn {
  return onList((items) => {
    const [first, ...rest] = items;
    if (first === undefined) throw new CelError(`${name} called on empty list`);
    return rest.reduce((best, item) => (compare(item, best) * wanted > 0 ? item : best), first);
  });
}

/** An empty list sums to nothing of the type its checker knew; that is decided by the caller. */
const sum: Fn = onList((items) => {
  const [first, ...rest] = items;
  return first === undefined ? 0n : rest.reduce(add, first);
});

function sliceOf([target, from, to]: readonly Value[]): Value {
  const items = list(target);
  const [start, end] = [integer(from), integer(to)];
  const call = `cannot slice(${start}, ${end}),`;
  if (start < 0 || end < 0) throw new CelError(`${call} negative indexes not supported`);
  if (start > end) throw new CelError(`${call} start index must be less than or equal to end index`);
  if (end > items.size) throw new CelError(`${call} list is length ${items.size}`);
  return new ListValue([...items].slice(start, end));
}

function flatten(items: readonly Value[], depth: number): Value[] {
  return items.flatMap((item) => (item instanceof ListValue && depth > 0 ? flatten([...item], depth - 1) : [item]));
}

function flattenList([target, depth]: readonly Value[]): Value {
  const levels = depth === undefined ? 1 : integer(depth);
  if (levels < 0) throw new CelError("level must be non-negative");
  return new ListValue(flatten([...list(target)], levels));
}

function distinct(items: readonly Value[]): Value {
  const kept: Value[] = [];
  for (const item of items) if (!kept.some((other) => equals(item, other))) kept.push(item);
  return new ListValue(kept);
}

const contains = (whole: readonly Value[], part: readonly Value[]): boolean =>
  part.every((item) => whole.some((other) => equals(item, other)));

const sets =
  (fn: (a: readonly Value[], b: readonly Value[]) => boolean): Fn =>
  ([a, b]) =>
    fn([...list(a)], [...list(b)]);

function range([count]: readonly Value[]): Value {
  const size = integer(count);
  return new ListValue(Array.from({ length: Math.max(0, size) }, (_, i) => BigInt(i)));
}

/** Whether a value is in a list, or a key in a map. */
export function isIn(item: Value, container: Value): boolean {
  if (isMap(container)) return container.find(item) !== undefined;
  for (const other of list(container)) if (equals(item, other)) return true;
  return false;
}

function position(items: readonly Value[], item: Value, last: boolean): Value {
  const same = (other: Value): boolean => equals(other, item);
  return BigInt(last ? items.findLastIndex(same) : items.findIndex(same));
}

export const listFunctions: Readonly<Record<string, Fn>> = {
  isSorted: onList((items) => items.every((item, i) => i === 0 || compare(items[i - 1] ?? item, item) <= 0)),
  sum,
  max: extreme("max", 1),
  min: extreme("min", -1),
  slice: sliceOf,
  flatten: flattenList,
  reverse: onList((items) => new ListValue([...items].reverse())),
  distinct: onList(distinct),
  sort: onList((items) => new ListValue([...items].sort(compare))),
  "lists.range": range,
  "sets.contains": sets(contains),
  "sets.equivalent": sets((a, b) => contains(a, b) && contains(b, a)),
  "sets.intersects": sets((a, b) => a.some((item) => b.some((other) => equals(item, other)))),
};

/** indexOf and lastIndexOf on lists; strings have their own. */
export function listPosition([target, item]: readonly Value[], last: boolean): Value {
  return position([...list(target)], item ?? null, last);
}

/** The sum of no values, by the type of the list. */
export function emptySum(overload: string): Value {
  if (overload === "list_double_sum_double") return 0;
  return overload === "list_duration_sum_duration" ? new Duration(0n) : 0n;
}
