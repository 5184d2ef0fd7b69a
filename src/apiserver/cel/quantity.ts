/** Kubernetes quantities such as 1.5Gi or 100m, exact to a billionth as upstream keeps them. */
import { int64 } from "./arithmetic.ts";
import { text } from "./string-functions.ts";
import { CelError, noSuchOverload, type Opaque, type Value } from "./values.ts";

const nano = 1_000_000_000n;
const decimals: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaries: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const shape = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE])([+-]?\d{1,3})|([a-zA-Z]*))$/;

/** numerator / 10^digits, times 2^bits times 10^exponent, in billionths, rounded away from zero. */
function scaled(digits: bigint, places: number, bits: number, exponent: number): bigint {
  const power = exponent - places + 9;
  const shifted = digits << BigInt(bits);
  if (power >= 0) return shifted * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (shifted + divisor - 1n) / divisor;
}

export class Quantity implements Opaque {
  readonly opaqueType = "kubernetes.Quantity";
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  equals(other: Value): boolean {
    return other instanceof Quantity && other.nanos === this.nanos;
  }
}

/** The quantity a text spells, or undefined. */
export function parseQuantity(source: string): Quantity | undefined {
  const match = source.length > 256 ? null : shape.exec(source);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", marker, exponent, suffix = ""] = match;
  if (whole === "" && fraction === "") return undefined;
  const bits = Object.hasOwn(binaries, suffix) ? (binaries[suffix] ?? 0) : 0;
  const power =
    marker !== undefined
      ? Number(exponent)
      : bits > 0
        ? 0
        : Object.hasOwn(decimals, suffix)
          ? decimals[suffix]
          : undefined;
  if (power === undefined) return undefined;
  const nanos = scaled(BigInt(`0${whole}${fraction}`), fraction.length, bits, power);
  return new Quantity(sign === "-" ? -nanos : nanos);
}

function quantity(value: Value | undefined): Quantity {
  if (!(value instanceof Quantity)) throw noSuchOverload();
  return value;
}

function fromText(source: string): Quantity {
  const parsed = parseQuantity(source);
  if (parsed === undefined)
    throw new CelError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  return parsed;
}

const fitsInt = (q: Quantity): boolean =>
  q.nanos % nano === 0n && q.nanos / nano < 1n << 63n && q.nanos / nano >= -(1n << 63n);

function asInteger(q: Quantity): bigint {
  if (!fitsInt(q)) throw new CelError("cannot convert value to integer");
  return int64(q.nanos / nano);
}

const operand = (value: Value | undefined): bigint =>
  typeof value === "bigint" ? value * nano : quantity(value).nanos;
const order = (a: Quantity, b: Quantity): bigint => (a.nanos < b.nanos ? -1n : a.nanos > b.nanos ? 1n : 0n);

type Fn = (args: readonly Value[]) => Value;

export const quantityFunctions: Readonly<Record<string, Fn>> = {
  quantity: ([source]) => fromText(text(source)),
  isQuantity: ([source]) => parseQuantity(text(source)) !== undefined,
  sign: ([q]) => order(quantity(q), new Quantity(0n)),
  asApproximateFloat: ([q]) => Number(quantity(q).nanos) / 1e9,
  asInteger: ([q]) => asInteger(quantity(q)),
  isInteger: ([q]) => fitsInt(quantity(q)),
  add: ([a, b]) => new Quantity(quantity(a).nanos + operand(b)),
  sub: ([a, b]) => new Quantity(quantity(a).nanos - operand(b)),
};

/** -1, 0 or 1. */
export function compareQuantities(a: Value | undefined, b: Value | undefined): bigint {
  return order(quantity(a), quantity(b));
}
