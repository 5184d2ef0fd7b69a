/** Numbers, times and durations: checked 64-bit arithmetic. */

import { equals } from "./equality.ts";
import { inRange } from "./timestamps.ts";
import { CelError, Duration, ListValue, noSuchOverload, ObjectValue, Timestamp, Uint, type Value } from "./values.ts";

const minInt = -(1n << 63n);
const maxInt = (1n << 63n) - 1n;
const maxUint = (1n << 64n) - 1n;

/** The integer, if it fits 64 bits. */
export function int64(value: bigint): bigint {
  if (value < minInt || value > maxInt) throw new CelError("integer overflow");
  return value;
}

/** The unsigned integer, if it fits 64 bits. */
export function uint64(value: bigint): Uint {
  if (value < 0n || value > maxUint) throw new CelError("unsigned integer overflow");
  return new Uint(value);
}

export function duration(nanos: bigint): Duration {
  if (nanos < minInt || nanos > maxInt) throw new CelError("duration overflow");
  return new Duration(nanos);
}

export function timestamp(nanos: bigint): Timestamp {
  if (!inRange(nanos)) throw new CelError("timestamp overflow");
  return new Timestamp(nanos);
}

type Ints = (a: bigint, b: bigint) => bigint;
type Doubles = (a: number, b: number) => number;

function numeric(a: Value, b: Value, ints: Ints, doubles: Doubles | undefined): Value | undefined {
  if (typeof a === "bigint" && typeof b === "bigint") return int64(ints(a, b));
  if (typeof a === "number" && typeof b === "number" && doubles !== undefined) return doubles(a, b);
  if (a instanceof Uint && b instanceof Uint) return uint64(ints(a.value, b.value));
  return undefined;
}

function itemKey(item: Value, keys: readonly string[]): Value[] {
  const find = (key: string): Value => (item instanceof ObjectValue ? (item.find(key) ?? null) : null);
  return keys.map(find);
}

/** Sets keep one of each, keyed lists let the right side replace, others append. */
export function addLists(a: ListValue, b: ListValue): ListValue {
  const identity = a.identity;
  if (identity === undefined) return new ListValue([...a, ...b]);
  const items = [...a];
  const same = (x: Value, y: Value): boolean =>
    identity.type === "set"
      ? equals(x, y)
      : itemKey(x, identity.keys).every((key, i) => equals(key, itemKey(y, identity.keys)[i] ?? null));
  for (const item of b) {
    const at = items.findIndex((other) => same(other, item));
    if (at < 0) items.push(item);
    else items[at] = item;
  }
  return new ListValue(items, undefined, identity);
}

function addTimes(a: Value, b: Value): Value | undefined {
  if (a instanceof Duration && b instanceof Duration) return duration(a.nanos + b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return timestamp(a.nanos + b.nanos);
  if (a instanceof Duration && b instanceof Timestamp) return timestamp(a.nanos + b.nanos);
  return undefined;
}

export function add(a: Value, b: Value): Value {
  const sum =
    numeric(
      a,
      b,
      (x, y) => x + y,
      (x, y) => x + y,
    ) ?? addTimes(a, b);
  if (sum !== undefined) return sum;
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (a instanceof ListValue && b instanceof ListValue) return addLists(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return new Uint8Array(Buffer.concat([a, b]));
  throw noSuchOverload();
}

export function subtract(a: Value, b: Value): Value {
  const difference = numeric(
    a,
    b,
    (x, y) => x - y,
    (x, y) => x - y,
  );
  if (difference !== undefined) return difference;
  if (a instanceof Timestamp && b instanceof Timestamp) return duration(a.nanos - b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return timestamp(a.nanos - b.nanos);
  if (a instanceof Duration && b instanceof Duration) return duration(a.nanos - b.nanos);
  throw noSuchOverload();
}

function orThrow(value: Value | undefined): Value {
  if (value === undefined) throw noSuchOverload();
  return value;
}

const nonZero = (value: bigint, message: string): bigint => {
  if (value === 0n) throw new CelError(message);
  return value;
};

export const multiply = (a: Value, b: Value): Value =>
  orThrow(
    numeric(
      a,
      b,
      (x, y) => x * y,
      (x, y) => x * y,
    ),
  );
export const divide = (a: Value, b: Value): Value =>
  orThrow(
    numeric(
      a,
      b,
      (x, y) => x / nonZero(y, "division by zero"),
      (x, y) => x / y,
    ),
  );
export const modulo = (a: Value, b: Value): Value =>
  orThrow(numeric(a, b, (x, y) => x % nonZero(y, "modulus by zero"), undefined));

export function negate(value: Value): Value {
  if (typeof value === "bigint") return int64(-value);
  if (typeof value === "number") return -value;
  throw noSuchOverload();
}
