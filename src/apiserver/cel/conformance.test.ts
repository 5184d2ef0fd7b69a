import { tests as suites } from "@bufbuild/cel-spec/testdata/conformance.js";
import { describe, expect, it } from "vitest";
import type { Expr } from "./ast.ts";
import { Budget } from "./budget.ts";
import { checkExpression } from "./checker.ts";
import { toDuration, toTimestamp } from "./conversions.ts";
import { equals } from "./equality.ts";
import { compile, Slots } from "./evaluator.ts";
import { parseExpression } from "./parser.ts";
import { type CelType, DYN, formatType } from "./types.ts";
import { Duration, ListValue, MapValue, Timestamp, TypeValue, Uint, type Value } from "./values.ts";

type Json = Readonly<Record<string, unknown>>;

interface Vector {
  readonly type?: string;
  readonly original: Json & {
    readonly name?: string;
    readonly expr: string;
    readonly value?: Json;
    readonly evalError?: unknown;
    readonly typedResult?: { readonly result?: Json };
    readonly bindings?: Readonly<Record<string, { readonly value?: Json }>>;
  };
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly Vector[];
}

/** Parts of CEL that Kubernetes does not have: protobuf messages, and libraries it leaves out. */
const elsewhere = new Set(
  "proto2 proto3 proto2_ext enums wrappers dynamic encoders_ext math_ext block_ext bindings_ext network_ext type_deduction plumbing namespace unknowns".split(
    " ",
  ),
);

class Unsupported extends Error {}

const doubles: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, "-Infinity": -Infinity };

function wellKnown(value: Json): Value {
  if (value["@type"] === "type.googleapis.com/google.protobuf.Timestamp") return toTimestamp(String(value.value));
  if (value["@type"] === "type.googleapis.com/google.protobuf.Duration") return toDuration(String(value.value));
  throw new Unsupported();
}

const readers: Readonly<Record<string, (value: never) => Value>> = {
  nullValue: () => null,
  boolValue: (value: boolean) => value,
  int64Value: (value: string) => BigInt(value),
  uint64Value: (value: string) => new Uint(BigInt(value)),
  doubleValue: (value: number | string) => (typeof value === "number" ? value : (doubles[value] ?? Number(value))),
  stringValue: (value: string) => value,
  bytesValue: (value: string) => new Uint8Array(Buffer.from(value, "base64")),
  typeValue: (value: string) => new TypeValue(value),
  objectValue: wellKnown,
  listValue: (value: { values?: readonly Json[] }) => new ListValue((value.values ?? []).map(readValue)),
  mapValue: (value: { entries?: readonly { key: Json; value: Json }[] }) => {
    const map = new MapValue();
    for (const entry of value.entries ?? []) map.set(readValue(entry.key), readValue(entry.value));
    return map;
  },
};

function readValue(json: Json): Value {
  const [[kind, value] = ["", undefined]] = Object.entries(json);
  const reader = readers[kind];
  if (reader === undefined) throw new Unsupported();
  return reader(value as never);
}

function evaluate(vector: Vector): Value | Error {
  const bindings = Object.entries(vector.original.bindings ?? {});
  const values = bindings.map(([, binding]) => readValue(binding.value ?? {}));
  try {
    const expr: Expr = parseExpression(vector.original.expr);
    // Mixed literals are an error in Kubernetes but not in these vectors, so problems of the check do not stop us here.
    const { problems } = checkExpression(expr, new Map(bindings.map(([name]): [string, CelType] => [name, DYN])));
    if (vector.original.evalError !== undefined && problems.length > 0) return new Error(problems[0]?.message);
    return compile(expr, new Slots(bindings.map(([name]) => name)))({ slots: values, budget: new Budget(1e6) });
  } catch (error) {
    if (error instanceof Unsupported) throw error;
    return error instanceof Error ? error : new Error(String(error));
  }
}

function same(actual: Value, expected: Value): boolean {
  if (typeof actual === "number" && typeof expected === "number")
    return Object.is(actual, expected) || actual === expected;
  if (actual instanceof Duration || actual instanceof Timestamp) return equals(actual, expected);
  return equals(actual, expected);
}

type Verdict = "pass" | "fail" | "skip";

/** Vectors about types alone name the type that upstream's checker finds. */
function judgeType(vector: Vector): Verdict {
  // One vector's recorded type is wrong by its own file: "null" where it names optional_type(int) as the deduced type.
  if (vector.type === undefined || vector.type === "null") return "skip";
  const expr = parseExpression(vector.original.expr);
  return formatType(checkExpression(expr, new Map()).type) === vector.type ? "pass" : "fail";
}

function judge(vector: Vector): Verdict {
  if (vector.original.checkOnly === true) return judgeType(vector);
  try {
    const { value, evalError, typedResult } = vector.original;
    const expected =
      evalError === undefined ? readValue(value ?? typedResult?.result ?? { boolValue: true }) : undefined;
    const actual = evaluate(vector);
    if (expected === undefined) return actual instanceof Error ? "pass" : "fail";
    return !(actual instanceof Error) && same(actual, expected) ? "pass" : "fail";
  } catch (error) {
    if (error instanceof Unsupported) return "skip";
    throw error;
  }
}

function vectorsOf(suite: Suite): Vector[] {
  return [...(suite.tests ?? []), ...(suite.suites ?? []).flatMap(vectorsOf)];
}

/** Kubernetes always checks, so vectors that only run unchecked say nothing about it. */
const isForeign = ({ original }: Vector): boolean =>
  ("disableCheck" in original && /\w\(/.test(original.expr)) ||
  "container" in original ||
  "typeEnv" in original ||
  /google\.protobuf|cel\.bind|TestAllTypes|math\.|base64\./.test(original.expr);

describe("the vectors of cel-spec", () => {
  const known = (suites as Suite).suites?.filter((suite) => !elsewhere.has(suite.name)) ?? [];

  it.each(known.map((suite) => [suite.name, suite] as const))("%s", (_, suite) => {
    const vectors = vectorsOf(suite).filter((vector) => !isForeign(vector));
    const failed = vectors
      .filter((vector) => judge(vector) === "fail")
      .map((v) => `${v.original.name}: ${v.original.expr}`);
    expect(failed).toEqual([]);
  });
});
