import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileNode } from "../schema/schema-node.ts";
import { CostExceeded } from "./budget.ts";
import { type DeclaredType, declareType } from "./declared-type.ts";
import { compileProgram, type Program } from "./program.ts";

function declared(schema: Parameters<typeof compileNode>[0]): DeclaredType {
  const type = declareType(compileNode(schema), false);
  if (type === undefined) throw new Error("the schema has no type");
  return type;
}

const self = declared({
  type: "object",
  properties: {
    s: { type: "string" },
    l: { type: "array", items: { type: "string" } },
    li: { type: "array", items: { type: "integer" } },
    m: { type: "object", additionalProperties: { type: "integer" } },
    o: {
      type: "object",
      properties: {
        a: { type: "integer" },
        b: { type: "array", items: { type: "object", properties: { c: { type: "string" } } } },
      },
    },
  },
});

function program(source: string): Program {
  const compiled = compileProgram(source, {
    self,
    variables: [
      ["self", self.type],
      ["oldSelf", self.type],
    ],
  });
  if (typeof compiled === "string") throw new Error(compiled);
  return compiled;
}

const run = (source: string, data: unknown, old: unknown = data) =>
  program(source).run([self.convert(data), self.convert(old)]);

describe("a program", () => {
  it("knows its type, its variables and its worst cost", () => {
    const compiled = program("self.s == oldSelf.s");
    expect(compiled.type.kind).toBe("bool");
    expect([...compiled.variables].sort()).toEqual(["oldSelf", "self"]);
    expect(compiled.maxCost).toBe(314_577);
  });

  it("answers with a value or with an error, and what it cost", () => {
    expect(run("self.li.map(x, x * 2).sum()", { li: [1, 2, 3] }).value).toBe(12n);
    const failed = run("self.li[7] == 1", { li: [] });
    expect(failed.error?.message).toBe("index out of bounds: 7");
    expect(failed.cost).toBeGreaterThan(0);
  });

  it("sums nothing to a zero of the list's type", () => {
    expect(run("self.li.sum() + 1", { li: [] }).value).toBe(1n);
    expect(run("self.li.map(x, 0.5).sum() + 1.5", { li: [] }).value).toBe(1.5);
  });

  it("forgives what the other side of a logical operator settles", () => {
    expect(run("self.li[7] == 1 || true", { li: [] }).value).toBe(true);
    expect(run("false && self.li[7] == 1", { li: [] }).value).toBe(false);
    expect(run("self.li.exists(x, 10 / x > 4)", { li: [0, 2] }).value).toBe(true);
  });
});

const big = {
  s: "é".repeat(100_000),
  l: Array.from({ length: 100_000 }, (_, i) => `item ${i}`),
  li: Array.from({ length: 100_000 }, (_, i) => i),
  m: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])),
  o: { a: 1, b: Array.from({ length: 50_000 }, () => ({ c: "x" })) },
};
const other = structuredClone(big);

describe("hostile rules on hostile objects", () => {
  it.each([
    "self.l.all(x, self.l.all(y, self.l.all(z, x + y != z)))",
    "self.l.all(x, size(self.s) > 0)",
    "self.l.all(x, self.s.charAt(99999) == 'é')",
    "self.l.all(x, self.o != oldSelf.o || true)",
    "self.l.all(x, self.m.size() > 0)",
    "self.s.replace('', self.s).size() > 0",
    "[self.s, self.s, self.s, self.s].map(x, [x, x, x, x].join(x)).join().size() > 0",
    "self.l.map(x, self.s).join().size() > 0",
    "self.l.map(x, self.s + x).size() > 0",
    "self.l.distinct().size() > 0",
    "sets.contains(self.o.b.map(x, [x]), self.o.b.map(x, [x]))",
    "self.l.all(x, self.s.matches('(é?){1000}é{1000}$'))",
    "lists.range(1000000000).size() > 0",
    "self.l.all(x, '%s'.format([self.s]) != '')",
    "self.li.all(x, int(self.s) > 0 || true)",
    "self.l.all(x, x in self.l)",
  ])("%s is stopped in time", (source) => {
    const compiled = program(source);
    const values = [self.convert(big), self.convert(other)];
    const started = performance.now();
    const { error } = compiled.run(values);
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(error).toBeInstanceOf(CostExceeded);
  });
});

describe("hostile expressions", () => {
  const describeOf = (source: string): string | Program =>
    compileProgram(source, { self, variables: [["self", self.type]] });

  it.each([
    ["parentheses", `${"(".repeat(50_000)}1${")".repeat(50_000)}`],
    ["lists", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
    ["signs", `${"!".repeat(99_999)}`],
    ["a long sum", "1+".repeat(40_000)],
    ["a long chain of fields", `self${".o".repeat(40_000)}`],
    ["a long disjunction", `${"true||".repeat(16_000)}true`],
    ["many empty lists", `[${"[],".repeat(30_000)}[]]`],
    ["many unknown names", `[${"a,".repeat(45_000)}b]`],
    ["many strange characters", "@".repeat(99_999)],
    ["an open string", `'${"a".repeat(99_000)}`],
    ["conditions", "true ? ".repeat(14_000)],
    ["too much text", " ".repeat(200_000)],
    ["nested loops", `${"self.l.all(x,".repeat(300)}true${")".repeat(300)}`],
  ])("%s end quickly", (_, source) => {
    const started = performance.now();
    const result = describeOf(source);
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(["string", "object"]).toContain(typeof result);
  });

  it("of any text compile or explain themselves", () => {
    const piece = fc.constantFrom(
      "self",
      ".s",
      ".l",
      ".m",
      "[",
      "]",
      "(",
      ")",
      "{",
      "}",
      "'a'",
      "1",
      "1.5",
      "2u",
      " + ",
      " == ",
      " && ",
      " || ",
      "!",
      "-",
      " in ",
      "?",
      ":",
      ",",
      ".all(x, ",
      "has(",
      ".size()",
      "x",
      "null",
      "b'x'",
      "r'\\'",
      '"""',
      "\\",
      "\n",
      "é",
      "🎉",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 60 }),
          fc.array(piece, { maxLength: 25 }).map((parts) => parts.join("")),
        ),
        (source) => {
          const result = describeOf(source);
          if (typeof result === "string") expect(result).toMatch(/^ERROR: <input>:\d+:\d+: /);
          else expect(result.run([self.convert({ s: "a", l: ["b"] })]).cost).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
