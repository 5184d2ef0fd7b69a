/** All functions by name, deciding by the values they get. The checker has decided which calls are allowed at all. */
import { add, divide, modulo, multiply, negate, subtract } from "./arithmetic.ts";
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from "./conversions.ts";
import { compare, equals } from "./equality.ts";
import { isIn, listFunctions, listPosition } from "./list-functions.ts";
import { formatFunctions } from "./named-formats.ts";
import { networkFunctions } from "./network.ts";
import { compareQuantities, Quantity, quantityFunctions } from "./quantity.ts";
import { compareVersions, semver, semverFunctions } from "./semver.ts";
import { stringFunctions } from "./string-functions.ts";
import { timeFunctions } from "./time-functions.ts";
import {
  CelError,
  isMap,
  JsonMap,
  ListValue,
  MapValue,
  noSuchOverload,
  ObjectValue,
  Optional,
  TypeValue,
  typeName,
  type Value,
} from "./values.ts";

export type Fn = (args: readonly Value[]) => Value;

const binary =
  (fn: (a: Value, b: Value) => Value): Fn =>
  ([a = null, b = null]) =>
    fn(a, b);
const unary =
  (fn: (a: Value) => Value): Fn =>
  ([a = null]) =>
    fn(a);

function sizeOf(value: Value): Value {
  if (typeof value === "string") return BigInt([...value].length);
  if (value instanceof Uint8Array) return BigInt(value.length);
  if (value instanceof ListValue || isMap(value)) return BigInt(value.size);
  throw noSuchOverload();
}

function indexOfList(_list: ListValue, index: Value): number {
  const at = typeof index === "bigint" ? Number(index) : typeof index === "number" ? index : Number.NaN;
  if (!Number.isInteger(at)) throw noSuchOverload();
  return at;
}

/** The element at an index or key; undefined when there is none. */
export function lookUp(container: Value, key: Value): Value | undefined {
  if (container instanceof ListValue) {
    const at = indexOfList(container, key);
    return at >= 0 && at < container.size ? container.at(at) : undefined;
  }
  if (isMap(container)) return container.find(key);
  if (container instanceof ObjectValue) return container.find(String(key));
  throw noSuchOverload();
}

function index(container: Value, key: Value): Value {
  if (container instanceof Optional) return optionalIndex(container, key);
  const found = lookUp(container, key);
  if (found !== undefined) return found;
  if (container instanceof ListValue) throw new CelError(`index out of bounds: ${String(key)}`);
  throw new CelError(`no such key: ${String(key)}`);
}

function optionalIndex(container: Value, key: Value): Value {
  const inner = container instanceof Optional ? container.value : container;
  const found = inner === undefined ? undefined : lookUp(inner, key);
  return found === undefined ? Optional.none : new Optional(found);
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === "") return true;
  if (value instanceof ListValue || isMap(value) || value instanceof ObjectValue) return value.size === 0;
  return value instanceof Uint8Array && value.length === 0;
}

function optional(value: Value): Optional {
  if (!(value instanceof Optional)) throw noSuchOverload();
  return value;
}

function unwrapOptional(value: Value): Value {
  const inner = optional(value).value;
  if (inner === undefined) throw new CelError("optional.none() dereference");
  return inner;
}

const order = (a: Value, b: Value): bigint =>
  a instanceof Quantity ? compareQuantities(a, b) : BigInt(compareVersions(semver(a), semver(b)));

const reversed = (target: Value): Value => {
  if (typeof target === "string") return [...target].reverse().join("");
  return listFunctions.reverse?.([target]) ?? null;
};

const position =
  (name: "indexOf" | "lastIndexOf"): Fn =>
  (args) =>
    args[0] instanceof ListValue ? listPosition(args, name === "lastIndexOf") : (stringFunctions[name]?.(args) ?? null);

export const functions: Readonly<Record<string, Fn>> = {
  ...stringFunctions,
  ...listFunctions,
  ...timeFunctions,
  ...quantityFunctions,
  ...semverFunctions,
  ...networkFunctions,
  ...formatFunctions,
  indexOf: position("indexOf"),
  lastIndexOf: position("lastIndexOf"),
  reverse: unary(reversed),
  "_==_": binary(equals),
  "_!=_": binary((a, b) => !equals(a, b)),
  "_<_": binary((a, b) => compare(a, b) < 0),
  "_<=_": binary((a, b) => compare(a, b) <= 0),
  "_>_": binary((a, b) => compare(a, b) > 0),
  "_>=_": binary((a, b) => compare(a, b) >= 0),
  "_+_": binary(add),
  "_-_": binary(subtract),
  "_*_": binary(multiply),
  "_/_": binary(divide),
  "_%_": binary(modulo),
  "-_": unary(negate),
  "!_": unary((a) => {
    if (typeof a !== "boolean") throw noSuchOverload();
    return !a;
  }),
  "@in": binary(isIn),
  "_[_]": binary(index),
  "_[?_]": binary(optionalIndex),
  size: unary(sizeOf),
  type: unary((a) => new TypeValue(typeName(a))),
  dyn: unary((a) => a),
  bool: unary(toBool),
  bytes: unary(toBytes),
  double: unary(toDouble),
  duration: unary(toDuration),
  int: unary(toInt),
  string: unary(toText),
  timestamp: unary(toTimestamp),
  uint: unary(toUint),
  "optional.of": unary((a) => new Optional(a)),
  "optional.ofNonZeroValue": unary((a) => (isZero(a) ? Optional.none : new Optional(a))),
  "optional.none": () => Optional.none,
  value: unary(unwrapOptional),
  hasValue: unary((a) => optional(a).value !== undefined),
  or: binary((a, b) => (optional(a).value === undefined ? b : a)),
  orValue: binary((a, b) => optional(a).value ?? b),
  isGreaterThan: binary((a, b) => order(a, b) > 0n),
  isLessThan: binary((a, b) => order(a, b) < 0n),
  compareTo: binary(order),
};

/** Merges the entries of maps, later ones winning only where allowed. */
export function entriesOf(value: Value): readonly (readonly [Value, Value])[] {
  if (value instanceof JsonMap || value instanceof MapValue)
    return value.keys().map((key) => [key, value.find(key) ?? null] as const);
  throw noSuchOverload();
}
