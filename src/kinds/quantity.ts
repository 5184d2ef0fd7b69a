/** `resource.Quantity`: exact amounts with SI and binary suffixes, read and written as Kubernetes does. */

/** How the amount was written, and is written again. */
export type QuantityFormat = "BinarySI" | "DecimalSI" | "DecimalExponent";

/** An amount in billionths; Kubernetes keeps no finer digit. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

const nano = 1_000_000_000n;
/** Kubernetes caps larger amounts silently. */
const maxNanos = (2n ** 63n - 1n) * nano;
const syntax = /^([+-]?)(\d*)(?:\.(\d*))?([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,9})?$/;
const binarySuffixes = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimalPowers: Readonly<Record<string, number>> = {
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

/** The amount, or undefined when the text is no quantity. Digits below a billionth round away from zero. */
export function parseQuantity(text: string | number): Quantity | undefined {
  const match = syntax.exec(String(text));
  if (!match) return undefined;
  const [, sign, whole = "", fraction = "", suffix = ""] = match;
  if (whole + fraction === "") return undefined;
  const digits = BigInt(whole + fraction);
  const magnitude = cap(scaled(digits, suffix, fraction.length));
  return { nanos: sign === "-" ? -magnitude : magnitude, format: formatOf(suffix) };
}

function formatOf(suffix: string): QuantityFormat {
  if (suffix.endsWith("i")) return "BinarySI";
  return /^[eE][+-]?\d/.test(suffix) ? "DecimalExponent" : "DecimalSI";
}

/** digits · 10^-fractionDigits · suffix, in billionths, rounded up. */
function scaled(digits: bigint, suffix: string, fractionDigits: number): bigint {
  const binary = binarySuffixes.indexOf(suffix);
  const factor = binary < 0 ? 1n : 1024n ** BigInt(binary + 1);
  const power = 9 - fractionDigits + (binary < 0 ? decimalPower(suffix) : 0);
  // Beyond these the digits do not matter: the cap, or the smallest step.
  if (power > 60) return digits === 0n ? 0n : maxNanos;
  if (power < -100_000) return digits === 0n ? 0n : 1n;
  return power >= 0 ? digits * factor * 10n ** BigInt(power) : divideUp(digits * factor, 10n ** BigInt(-power));
}

function decimalPower(suffix: string): number {
  return decimalPowers[suffix] ?? Number(suffix.slice(1));
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

function cap(nanos: bigint): bigint {
  return nanos > maxNanos ? maxNanos : nanos;
}

/** The canonical text: no fraction, the largest suffix that keeps every digit. */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos < 0n) return `-${formatQuantity({ nanos: -nanos, format })}`;
  if (nanos === 0n) return "0";
  return format === "BinarySI" && nanos >= 1024n * nano ? formatBinary(nanos) : formatDecimal(nanos, format);
}

function formatBinary(nanos: bigint): string {
  let value = divideUp(nanos, nano);
  let suffix = "";
  for (const next of binarySuffixes) {
    if (value % 1024n !== 0n) break;
    value /= 1024n;
    suffix = next;
  }
  return `${value}${suffix}`;
}

function formatDecimal(nanos: bigint, format: QuantityFormat): string {
  let value = nanos;
  let power = -9;
  while (value % 1000n === 0n && power < 18) {
    value /= 1000n;
    power += 3;
  }
  if (format === "DecimalExponent") return power === 0 ? `${value}` : `${value}e${power}`;
  const suffix = Object.keys(decimalPowers).find((key) => decimalPowers[key] === power);
  return `${value}${suffix ?? ""}`;
}

/** Negative, zero or positive, as a sort wants it. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}

/** The sum, written as the first is. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.format };
}

/** The nearest double; exact below 2^53. */
export function quantityToNumber({ nanos }: Quantity): number {
  return Number(nanos / nano) + Number(nanos % nano) / 1e9;
}

/** A whole number of bytes with a binary suffix, as memory is written. */
export function bytesToQuantity(bytes: number | bigint): Quantity {
  return { nanos: BigInt(bytes) * nano, format: "BinarySI" };
}
