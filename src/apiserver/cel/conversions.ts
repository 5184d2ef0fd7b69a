/** Conversions between types: int("5"), string(1.5), timestamp("2024-…"). */
import { goFloat } from "../go-text.ts";
import { parseDuration } from "../schema/go-duration.ts";
import { duration, int64, timestamp, uint64 } from "./arithmetic.ts";
import { formatTimestamp, parseTimestamp } from "./timestamps.ts";
import { CelError, Duration, noSuchOverload, Timestamp, typeName, Uint, type Value } from "./values.ts";

const second = 1_000_000_000n;
const failed = (value: Value, to: string): CelError =>
  new CelError(`type conversion error from '${typeName(value)}' to '${to}'`);

/** A duration in seconds, as CEL prints it. */
export function formatDuration(nanos: bigint): string {
  const sign = nanos < 0n ? "-" : "";
  const size = nanos < 0n ? -nanos : nanos;
  const rest = (size % second).toString().padStart(9, "0").replace(/0+$/, "");
  return `${sign}${size / second}${rest === "" ? "" : `.${rest}`}s`;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

export function toText(value: Value): Value {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "number") return formatDouble(value);
  if (value instanceof Uint) return value.value.toString();
  if (value instanceof Uint8Array) return decodeUtf8(value);
  if (value instanceof Timestamp) return formatTimestamp(value.nanos);
  if (value instanceof Duration) return formatDuration(value.nanos);
  if (value !== null && typeof value === "object" && "text" in value && typeof value.text === "string")
    return value.text;
  throw noSuchOverload();
}

/** A double as Go's shortest form prints it. */
export function formatDouble(value: number): string {
  return goFloat(value);
}

function doubleToInt(value: number): bigint {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new CelError("integer overflow");
  return BigInt(Math.trunc(value));
}

const decimal = /^[+-]?\d+$/;

export function toInt(value: Value): Value {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return doubleToInt(value);
  if (value instanceof Uint) return int64(value.value);
  if (value instanceof Timestamp) return value.nanos / second - (value.nanos % second < 0n ? 1n : 0n);
  if (value instanceof Duration) return value.nanos;
  if (typeof value !== "string") throw noSuchOverload();
  if (!decimal.test(value) || value.length > 24)
    throw new CelError(`strconv.ParseInt: parsing "${value}": invalid syntax`);
  return int64(BigInt(value.replace(/^\+/, "")));
}

export function toUint(value: Value): Value {
  if (value instanceof Uint) return value;
  if (typeof value === "bigint") return uint64(value);
  if (typeof value === "number") {
    if (!(value >= 0 && value < 2 ** 64)) throw new CelError("unsigned integer overflow");
    return uint64(BigInt(Math.trunc(value)));
  }
  if (typeof value !== "string") throw noSuchOverload();
  if (!/^\d+$/.test(value) || value.length > 24)
    throw new CelError(`strconv.ParseUint: parsing "${value}": invalid syntax`);
  return uint64(BigInt(value));
}

export function toDouble(value: Value): Value {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value !== "string") throw noSuchOverload();
  const special: Readonly<Record<string, number>> = {
    NaN: Number.NaN,
    Inf: Infinity,
    "+Inf": Infinity,
    "-Inf": -Infinity,
    Infinity,
    "-Infinity": -Infinity,
  };
  if (Object.hasOwn(special, value)) return special[value] ?? 0;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value))
    throw new CelError(`strconv.ParseFloat: parsing "${value}": invalid syntax`);
  return Number(value);
}

export function toBool(value: Value): Value {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") throw noSuchOverload();
  if (["1", "t", "T", "true", "TRUE", "True"].includes(value)) return true;
  if (["0", "f", "F", "false", "FALSE", "False"].includes(value)) return false;
  throw failed(value, "bool");
}

export function toBytes(value: Value): Value {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return new Uint8Array(Buffer.from(value));
  throw noSuchOverload();
}

export function toDuration(value: Value): Value {
  if (value instanceof Duration) return value;
  if (typeof value === "bigint") return duration(value);
  if (typeof value !== "string") throw noSuchOverload();
  const nanos = parseDuration(value);
  if (nanos === undefined) throw failed(value, "google.protobuf.Duration");
  return duration(nanos);
}

export function toTimestamp(value: Value): Value {
  if (value instanceof Timestamp) return value;
  if (typeof value === "bigint") return timestamp(value * second);
  if (typeof value !== "string") throw noSuchOverload();
  const nanos = parseTimestamp(value);
  if (nanos === undefined) throw failed(value, "google.protobuf.Timestamp");
  return timestamp(nanos);
}
