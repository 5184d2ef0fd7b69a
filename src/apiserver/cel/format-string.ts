/** "%s is %d".format([...]): the formatting of messages in rules. */
import { formatDouble, formatDuration, toText } from "./conversions.ts";
import { numberOf } from "./equality.ts";
import { formatTimestamp } from "./timestamps.ts";
import {
  CelError,
  Duration,
  isMap,
  ListValue,
  ObjectValue,
  Timestamp,
  TypeValue,
  typeName,
  Uint,
  type Value,
} from "./values.ts";

function formatMap(value: Value): string {
  if (!isMap(value)) return "";
  const entries = value.keys().map((key) => [formatAny(key), formatAny(value.find(key) ?? null)] as const);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${key}: ${item}`).join(", ")}}`;
}

function formatAny(value: Value): string {
  if (value === null) return "null";
  if (value instanceof TypeValue) return value.name;
  if (value instanceof ListValue) return `[${[...value].map(formatAny).join(", ")}]`;
  if (isMap(value)) return formatMap(value);
  if (value instanceof ObjectValue)
    throw new CelError(
      "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given object",
    );
  if (value instanceof Timestamp) return formatTimestamp(value.nanos);
  if (value instanceof Duration) return formatDuration(value.nanos);
  if (typeof value === "number") return formatDouble(value);
  return String(toText(value));
}

const integerOf = (value: Value): bigint | undefined =>
  typeof value === "bigint" ? value : value instanceof Uint ? value.value : undefined;

function formatDecimal(value: Value): string {
  const whole = integerOf(value);
  if (whole !== undefined) return whole.toString();
  if (typeof value === "number") return formatDouble(value);
  throw new CelError(`decimal clause can only be used on integers, was given ${typeName(value)}`);
}

function inBase(value: Value, base: number, clause: string): string {
  const whole = typeof value === "boolean" ? BigInt(value) : integerOf(value);
  if (whole !== undefined) return whole.toString(base);
  throw new CelError(
    `${clause} clause can only be used on integers${base === 2 ? " and bools" : ""}, was given ${typeName(value)}`,
  );
}

function formatHex(value: Value): string {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  const whole = integerOf(value);
  if (whole !== undefined) return whole.toString(16);
  throw new CelError(
    `hex clause can only be used on integers, byte buffers, and strings, was given ${typeName(value)}`,
  );
}

function asDouble(value: Value, clause: string): number {
  const number = numberOf(value);
  if (number === undefined)
    throw new CelError(`${clause} clause can only be used on doubles, was given ${typeName(value)}`);
  return Number(number);
}

const scientific = (value: number, digits: number): string =>
  value.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");

function formatClause(clause: string, precision: number, value: Value): string {
  switch (clause) {
    case "s":
      return formatAny(value);
    case "d":
      return formatDecimal(value);
    case "f":
      return asDouble(value, "fixed-point").toFixed(precision);
    case "e":
      return scientific(asDouble(value, "scientific"), precision);
    case "b":
      return inBase(value, 2, "binary");
    case "o":
      return inBase(value, 8, "octal");
    case "x":
      return formatHex(value);
    case "X":
      return formatHex(value).toUpperCase();
    default:
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${clause}"`);
  }
}

/** Fills in the clauses of a format. */
export function formatString(format: string, args: readonly Value[]): string {
  let used = 0;
  const out = format.replace(
    /%(?:(%)|(?:\.(\d{1,3}))?(.?))/gs,
    (_, percent: string | undefined, digits: string | undefined, clause = "") => {
      if (percent !== undefined) return "%";
      const value = args[used++];
      if (value === undefined) throw new CelError(`index ${used - 1} out of range`);
      return formatClause(clause, Math.min(100, digits === undefined ? 6 : Number(digits)), value);
    },
  );
  if (used < args.length)
    throw new CelError(`too many arguments supplied to string.format (expected ${used}, got ${args.length})`);
  return out;
}
