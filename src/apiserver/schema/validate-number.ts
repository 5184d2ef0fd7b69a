/** Bounds, multiples and 32-bit ranges of numbers, with upstream's wording. */
import type { Findings } from "./findings.ts";
import type { SchemaNode } from "./schema-node.ts";

const maxInt64 = 2 ** 63;

function fits(value: number, type: string, format: string): boolean {
  if (type === "integer") {
    if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return false;
    if (format === "int32") return value >= -(2 ** 31) && value < 2 ** 31;
    return value >= -maxInt64 && value < maxInt64;
  }
  return format !== "float" || Math.abs(value) <= 3.4028234663852886e38;
}

function checkRange(value: number, node: SchemaNode, path: string): string | undefined {
  const type =
    node.types.length === 1 && (node.types[0] === "integer" || node.types[0] === "number") ? node.types[0] : "";
  if (fits(value, type, node.format)) return undefined;
  const format = node.format === "" ? "(default format)" : `with format ${node.format}`;
  return `value must be of type ${type} ${format} in ${path}`;
}

function checkMultiple(value: number, factor: number, path: string, out: Findings): void {
  if (factor <= 0) {
    const text = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
    out.add(text, { type: "FieldValueInvalid", field: path, badValue: factor, detail: text });
    return;
  }
  const integers = Number.isInteger(value) && Number.isInteger(factor);
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  if (integers ? value % factor !== 0 : !nearInteger(quotient))
    out.bound(path, value, "should be a multiple of", factor);
}

/** Upstream forgives the rounding of floats below one part in a billion. */
function nearInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const difference = Math.abs(value - Math.trunc(value));
  if (value === Math.trunc(value)) return true;
  if (Math.trunc(value) === 0 || difference < Number.MIN_VALUE) return difference < 1e-9 * Number.MIN_VALUE;
  return difference / (Math.abs(value) + Math.abs(Math.trunc(value))) < 1e-9;
}

function checkMaximum(value: number, node: SchemaNode, path: string, out: Findings): void {
  const { maximum, exclusiveMaximum } = node.source;
  if (typeof maximum !== "number") return;
  const limit = limitFor(value, maximum);
  if (exclusiveMaximum === true ? value < limit : value <= limit) return;
  out.bound(path, value, exclusiveMaximum === true ? "should be less than" : "should be less than or equal to", limit);
}

function checkMinimum(value: number, node: SchemaNode, path: string, out: Findings): void {
  const { minimum, exclusiveMinimum } = node.source;
  if (typeof minimum !== "number") return;
  const limit = limitFor(value, minimum);
  if (exclusiveMinimum === true ? value > limit : value >= limit) return;
  out.bound(
    path,
    value,
    exclusiveMinimum === true ? "should be greater than" : "should be greater than or equal to",
    limit,
  );
}

/** An integer is compared with the bound's integer part. */
function limitFor(value: number, bound: number): number {
  return Number.isInteger(value) && Math.abs(value) < maxInt64 ? Math.trunc(bound) : bound;
}

/** Checks one number against its schema. */
export function validateNumber(value: number, node: SchemaNode, path: string, out: Findings): void {
  const outOfRange = checkRange(value, node, path);
  if (outOfRange !== undefined) out.general(`Checked ${outOfRange}`);
  if (!node.hasNumberRules) return;
  const { multipleOf, maximum, minimum } = node.source;
  const bounds = [
    ["MultipleOf", multipleOf],
    ["Minimum boundary", minimum],
    ["Maximum boundary", maximum],
  ] as const;
  for (const [prefix, bound] of bounds) {
    if (typeof bound !== "number") continue;
    const problem = checkRange(bound, node, path);
    if (problem !== undefined) out.general(`${prefix} ${problem}`);
    if (prefix === "MultipleOf") checkMultiple(value, bound, path, out);
    else if (prefix === "Minimum boundary") checkMinimum(value, node, path, out);
    else checkMaximum(value, node, path, out);
  }
}
