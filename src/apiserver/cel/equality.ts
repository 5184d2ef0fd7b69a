/** Equality and order of CEL values: numbers compare across types, sets and keyed lists ignore order. */
import { equalJson } from "../schema/correlation.ts";
import {
  CelError,
  Duration,
  isMap,
  type JsonMap,
  ListValue,
  type MapValue,
  noSuchOverload,
  ObjectValue,
  type Opaque,
  Optional,
  Preserved,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./values.ts";

type Numeric = bigint | number;

/** The number in a numeric value, or undefined. */
export function numberOf(value: Value): Numeric | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return value instanceof Uint ? value.value : undefined;
}

function equalLists(a: ListValue, b: ListValue): boolean {
  if (a.size !== b.size) return false;
  if (a.identity === undefined) {
    for (let i = 0; i < a.size; i++) if (!equals(a.at(i), b.at(i))) return false;
    return true;
  }
  const others = [...b];
  for (const item of a) if (!others.some((other) => equals(item, other))) return false;
  return true;
}

function equalMaps(a: JsonMap | MapValue, b: JsonMap | MapValue): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const [left, right] = [a.find(key), b.find(key)];
    if (left === undefined || right === undefined || !equals(left, right)) return false;
  }
  return true;
}

function equalObjects(a: ObjectValue, b: ObjectValue): boolean {
  if (a.size !== b.size) return false;
  for (const name of a.fields.keys()) {
    const [left, right] = [a.find(name), b.find(name)];
    if (left === undefined || right === undefined) {
      if (left !== right) return false;
    } else if (!equals(left, right)) return false;
  }
  return true;
}

function equalOptionals(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equals(a.value, b.value);
}

type Pair<T> = readonly [new (...args: never[]) => T, (a: T, b: T) => boolean];

const pair = <T>(type: new (...args: never[]) => T, same: (a: T, b: T) => boolean): Pair<unknown> => [
  type,
  same as (a: unknown, b: unknown) => boolean,
];

const comparers: readonly Pair<unknown>[] = [
  pair(ListValue, equalLists),
  pair(ObjectValue, equalObjects),
  pair(Timestamp, (a, b) => a.nanos === b.nanos),
  pair(Duration, (a, b) => a.nanos === b.nanos),
  pair(TypeValue, (a, b) => a.name === b.name),
  pair(Optional, equalOptionals),
  pair(Uint8Array, (a, b) => Buffer.compare(a, b) === 0),
  pair(Preserved, (a, b) => equalJson(a.json, b.json)),
];

/** Whether two values are equal; values of unlike types are not. */
export function equals(a: Value, b: Value): boolean {
  if (a === b) return true;
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== undefined && right !== undefined) return left === right;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isMap(a) || isMap(b)) return isMap(a) && isMap(b) && equalMaps(a, b);
  for (const [type, same] of comparers)
    if (a instanceof type || b instanceof type) return a instanceof type && b instanceof type && same(a, b);
  return (a as Opaque).equals(b);
}

function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const sign = (a: Numeric | bigint, b: Numeric | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Orders two values: negative, zero or positive. Throws when they have no order. */
export function compare(a: Value, b: Value): number {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== undefined && right !== undefined) {
    if (Number.isNaN(left) || Number.isNaN(right)) throw new CelError("NaN values cannot be ordered");
    return sign(left, right);
  }
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Timestamp && b instanceof Timestamp) return sign(a.nanos, b.nanos);
  if (a instanceof Duration && b instanceof Duration) return sign(a.nanos, b.nanos);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  throw noSuchOverload();
}
