/** Bounds, multiples and 32-bit ranges of numbers, with upstream's wording. */
import { invalid } from "../field-error.ts";
import { GoFloat, goFloat, goNumber } from "../go-text.ts";
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

/** A number and a bound in the same arithmetic: integers where both can be, floats otherwise. */
interface Pair {
  readonly value: number;
  readonly bound: number;
  readonly integers: boolean;
}

function report(pair: Pair, words: string, path: string, out: Findings): void {
  const shown = pair.integers ? pair.value : new GoFloat(pair.value);
  out.invalid(path, shown, `${words} ${pair.integers ? goNumber(pair.bound) : goFloat(pair.bound)}`);
}

function checkMultiple(pair: Pair, path: string, out: Findings): void {
  const { value, bound } = pair;
  if (bound <= 0) {
    const text = `factor MultipleOf declared for ${path} must be positive: ${goFloat(bound)}`;
    out.add(text, invalid(path, bound, text));
    return;
  }
  const whole = pair.integers ? value % bound === 0 : nearInteger(bound < 1 ? (1 / bound) * value : value / bound);
  if (!whole) report(pair, "should be a multiple of", path, out);
}

/** Upstream forgives the rounding of floats below one part in a billion. */
function nearInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const difference = Math.abs(value - Math.trunc(value));
  if (value === Math.trunc(value)) return true;
  if (Math.trunc(value) === 0 || difference < Number.MIN_VALUE) return difference < 1e-9 * Number.MIN_VALUE;
  return difference / (Math.abs(value) + Math.abs(Math.trunc(value))) < 1e-9;
}

function checkMaximum(pair: Pair, exclusive: boolean, path: string, out: Findings): void {
  if (exclusive ? pair.value < pair.bound : pair.value <= pair.bound) return;
  report(pair, exclusive ? "should be less than" : "should be less than or equal to", path, out);
}

function checkMinimum(pair: Pair, exclusive: boolean, path: string, out: Findings): void {
  if (exclusive ? pair.value > pair.bound : pair.value >= pair.bound) return;
  report(pair, exclusive ? "should be greater than" : "should be greater than or equal to", path, out);
}

const isInt64 = (value: number): boolean => Number.isInteger(value) && value >= -maxInt64 && value < maxInt64;

/** Reports a bound that the schema's own type cannot hold, and pairs it with the value. */
function pairOf(
  value: number,
  [prefix, bound]: readonly [string, number],
  node: SchemaNode,
  path: string,
): [Pair, string] {
  const problem = checkRange(bound, node, path);
  const integers = problem === undefined && isInt64(value);
  return [
    { value, bound: integers ? Math.trunc(bound) : bound, integers },
    problem === undefined ? "" : `${prefix} ${problem}`,
  ];
}

/** Checks one number against its schema. */
export function validateNumber(value: number, node: SchemaNode, path: string, out: Findings): void {
  const outOfRange = checkRange(value, node, path);
  if (outOfRange !== undefined) out.general(`Checked ${outOfRange}`);
  if (!node.hasNumberRules) return;
  const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum } = node.source;
  const check = (prefix: string, bound: number | undefined, compare: (pair: Pair) => void): void => {
    if (typeof bound !== "number") return;
    const [pair, problem] = pairOf(value, [prefix, bound], node, path);
    if (problem !== "") out.general(problem);
    compare(pair);
  };
  check("MultipleOf", multipleOf, (pair) => checkMultiple(pair, path, out));
  check("Minimum boundary", minimum, (pair) => checkMinimum(pair, exclusiveMinimum === true, path, out));
  check("Maximum boundary", maximum, (pair) => checkMaximum(pair, exclusiveMaximum === true, path, out));
}
