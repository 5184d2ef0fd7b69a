/** The static cost and result size of calls, from the sizes of what they are called on. */
import { add, fixed, multiply, type Range, scale, unknown, unlimited } from "./estimate.ts";

const perCharacter = 0.1;
const perRegexCharacter = 0.25;

/** What is known about one operand. */
export interface Operand {
  readonly size: Range;
  /** The sizes of its items, for lists. */
  readonly itemSize: Range;
  readonly itemIsText: boolean;
  readonly isList: boolean;
  readonly literal: bigint | undefined;
}

export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

export interface Call {
  readonly fn: string;
  readonly overload: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
}

type Estimator = (call: Call) => CallEstimate | undefined;

const one: CallEstimate = { cost: fixed(1) };
const constant: Estimator = () => one;
const targetSize = ({ target }: Call): Range => target?.size ?? unknown;
const argSize = ({ args }: Call, i = 0): Range => args[i]?.size ?? unknown;

/** One look at every element; texts also cost their length. */
const scanning: Estimator = ({ target }) => {
  if (target === undefined) return undefined;
  if (!target.isList) return { cost: scale(target.size, perCharacter) };
  const each = target.itemIsText ? add(fixed(1), scale(target.itemSize, perCharacter)) : fixed(1);
  return { cost: multiply(target.size, each) };
};

const overArgument =
  (factor = perCharacter): Estimator =>
  (call) => ({ cost: scale(argSize(call), factor) });
const overTarget: Estimator = (call) => ({ cost: scale(targetSize(call), perCharacter), size: targetSize(call) });

const matching: Estimator = (call) => {
  const text = scale(add(targetSize(call), fixed(1)), perCharacter);
  return { cost: multiply(text, scale(argSize(call), perRegexCharacter)) };
};

const finding: Estimator = (call) => ({
  cost: matching(call)?.cost ?? unknown,
  size: { min: 0, max: targetSize(call).max },
});

function replacements(size: Range, old: Range, fresh: Range): Range {
  const most = old.min === 0 ? size.max + 1 : fresh.max <= old.min ? 0 : Math.ceil(size.max / old.min);
  const least = old.max === 0 ? size.min + 1 : old.max <= fresh.min ? 0 : Math.ceil(size.min / old.max);
  const kept = {
    min: old.max === 0 || old.max <= fresh.min ? size.min : 0,
    max: old.min === 0 || fresh.max <= old.min ? size.max : 0,
  };
  return add(multiply({ min: least, max: Math.min(most, unlimited) }, fresh), kept);
}

const replacing: Estimator = (call) => {
  const size = targetSize(call);
  return { cost: scale(size, 2 * perCharacter), size: replacements(size, argSize(call), argSize(call, 1)) };
};

const splitting: Estimator = (call) => {
  const limit = call.args[1]?.literal;
  const max = limit === undefined || limit < 0n ? targetSize(call).max : Number(limit);
  return { cost: scale(targetSize(call), 2 * perCharacter), size: { min: 0, max } };
};

const joining: Estimator = (call) => {
  const list = targetSize(call);
  const gaps = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
  const items = multiply(list, call.target?.itemSize ?? unknown);
  const size = call.args.length === 0 ? items : add(items, multiply(argSize(call), gaps));
  return { cost: scale(size, perCharacter), size };
};

/** Building a list costs its base and one unit for the call, beside the work itself. */
const building = (work: Range, size: Range): CallEstimate => ({ cost: add(work, fixed(11)), size });

const literalOr = (operand: Operand | undefined, otherwise: number): number =>
  operand?.literal === undefined ? otherwise : Number(operand.literal);

const slicing: Estimator = (call) => {
  const size = fixed(Math.max(0, literalOr(call.args[1], targetSize(call).max) - literalOr(call.args[0], 0)));
  return building(size, size);
};

const quadratic =
  (factor: number): Estimator =>
  (call) => {
    const pairs = multiply(targetSize(call), targetSize(call));
    return building(scale(pairs, factor), pairs);
  };

const setWork =
  (factor: number): Estimator =>
  (call) => ({
    cost: add(scale(multiply(argSize(call), argSize(call, 1)), factor), fixed(1)),
  });

const addresses: Range = { min: 4, max: 16 };

const containsIp: Estimator = (call) => {
  const compare = scale(add(addresses, addresses), perCharacter);
  return {
    cost: call.overload === "cidr_contains_ip_string" ? add(compare, scale(argSize(call), perCharacter)) : compare,
  };
};

const containsCidr: Estimator = (call) => {
  const compare = add(add(scale(add(addresses, addresses), perCharacter), scale(addresses, perCharacter)), fixed(1));
  return {
    cost: call.overload === "cidr_contains_cidr_string" ? add(compare, scale(argSize(call), perCharacter)) : compare,
  };
};

const comparing: Estimator = ({ args }) => {
  const max = Math.min(args[0]?.size.max ?? unlimited, args[1]?.size.max ?? unlimited);
  return { cost: scale({ min: max > 0 ? 1 : 0, max }, perCharacter) };
};

const concatenating: Estimator = ({ overload, args }) => {
  const size = add(args[0]?.size ?? unknown, args[1]?.size ?? unknown);
  return overload === "add_list" ? { cost: fixed(1), size } : { cost: scale(size, perCharacter), size };
};

const constants =
  "isGreaterThan isLessThan compareTo sign asInteger isInteger asApproximateFloat add sub major minor patch masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast getScheme getHostname getHost getPort getEscapedPath getQuery format.named";

const byFunction: ReadonlyMap<string, Estimator> = new Map<string, Estimator>([
  ...constants.split(" ").map((name) => [name, constant] as const),
  ...["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"].map((name) => [name, scanning] as const),
  ...["lowerAscii", "upperAscii", "substring", "trim"].map((name) => [name, overTarget] as const),
  ...["cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"].map(
    (name) => [name, overArgument()] as const,
  ),
  ["url", (call) => ({ cost: scale(argSize(call), perCharacter), size: argSize(call) })],
  ["ip", (call) => (call.overload === "cidr_ip" ? one : { cost: scale(argSize(call), perCharacter) })],
  ["ip.isCanonical", overArgument(2 * perCharacter)],
  ["replace", replacing],
  ["split", splitting],
  ["join", joining],
  ["find", finding],
  ["findAll", finding],
  ["containsIP", containsIp],
  ["containsCIDR", containsCidr],
  ["validate", (call) => ({ cost: scale(scale(argSize(call), perCharacter), 128 * perRegexCharacter) })],
]);

const byOverload: ReadonlyMap<string, Estimator> = new Map<string, Estimator>([
  ["string_format", (call) => ({ cost: scale(targetSize(call), perCharacter) })],
  [
    "string_to_bytes",
    (call) => ({
      cost: scale(argSize(call), perCharacter),
      size: { min: argSize(call).min, max: argSize(call).max * 4 },
    }),
  ],
  [
    "bytes_to_string",
    (call) => ({
      cost: scale(argSize(call), perCharacter),
      size: { min: Math.floor(argSize(call).min / 4), max: argSize(call).max },
    }),
  ],
  [
    "strings_quote",
    (call) => ({
      cost: scale(argSize(call), perCharacter),
      size: { min: argSize(call).min + 2, max: argSize(call).max * 2 + 2 },
    }),
  ],
  ["starts_with_string", overArgument()],
  ["ends_with_string", overArgument()],
  ["in_list", (call) => ({ cost: argSize(call, 1) })],
  ["matches_string", matching],
  [
    "contains_string",
    (call) => ({ cost: multiply(scale(targetSize(call), perCharacter), scale(argSize(call), perCharacter)) }),
  ],
  ["add_string", concatenating],
  ["add_bytes", concatenating],
  ["add_list", concatenating],
  ...["equals", "not_equals"].map((id) => [id, comparing] as const),
  ...["less", "less_equals", "greater", "greater_equals"].flatMap((word) => [
    [`${word}_string`, comparing] as const,
    [`${word}_bytes`, comparing] as const,
  ]),
]);

const sortable = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];

/** Estimates that come before those by function name. */
const firstByOverload: ReadonlyMap<string, Estimator> = new Map<string, Estimator>([
  ["list_slice", slicing],
  ["list_flatten", (call) => building(targetSize(call), targetSize(call))],
  [
    "list_flatten_int",
    (call) => building(scale(targetSize(call), literalOr(call.args[0], unlimited)), targetSize(call)),
  ],
  [
    "lists_range",
    (call) => building(fixed(literalOr(call.args[0], unlimited)), fixed(literalOr(call.args[0], unlimited))),
  ],
  ["list_reverse", (call) => building(targetSize(call), targetSize(call))],
  ["list_distinct", quadratic(2)],
  ...sortable.map((type) => [`list_${type}_sort`, quadratic(type === "string" || type === "bytes" ? 2.1 : 2)] as const),
  ["list_sets_contains_list", setWork(1)],
  ["list_sets_intersects_list", setWork(1)],
  ["list_sets_equivalent_list", setWork(2)],
]);

const opaqueEquality: ReadonlySet<string> = new Set([
  "kubernetes.Quantity",
  "kubernetes.Semver",
  "net.IP",
  "net.CIDR",
  "kubernetes.URL",
]);

/** The cost of one call by one overload, without its operands. */
export function estimateCall(call: Call, operandType: string): CallEstimate {
  if (call.fn === "_==_" && opaqueEquality.has(operandType)) return one;
  return (
    firstByOverload.get(call.overload)?.(call) ??
    byFunction.get(call.fn)?.(call) ??
    byOverload.get(call.overload)?.(call) ??
    one
  );
}
