import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatLabelSelector, labelsMatch, parseLabelSelector } from "./label-selector.ts";
import { compileObjectSelector } from "./object-selector.ts";
import { SelectorError } from "./selector-error.ts";

const NAME =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe("parseLabelSelector", () => {
  it.each([
    ["", ""],
    ["a", "a"],
    ["!a", "!a"],
    ["a=b", "a=b"],
    ["a==b", "a==b"],
    ["a!=b", "a!=b"],
    ["a=", "a="],
    ["a!=,b", "a!=,b"],
    ["b=c, a in (z, y ,z)", "a in (y,z),b=c"],
    ["a notin ()", "a notin ()"],
    ["a in (,b)", "a in (,b)"],
    ["a in (b,,c)", "a in (,b,c)"],
    ["a>5,b<1", "a>5,b<1"],
    ["in in (in,notin)", "in in (in,notin)"],
    ["example.com/a=b", "example.com/a=b"],
  ])("%j", (text, normal) => {
    expect(formatLabelSelector(parseLabelSelector(text))).toBe(normal);
  });

  it.each([
    ["=a", "found '=', expected: !, identifier, or 'end of string'"],
    ["a,", "found '', expected: identifier after ','"],
    ["a,,b", "found ',', expected: identifier after ','"],
    ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ["!", "unable to parse requirement: found '', expected: identifier"],
    ["!a=b", "found '=', expected: ',' or 'end of string'"],
    ["a in", "unable to parse requirement: found '' expected: '('"],
    ["a in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ["a in (b", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["a in (,", "unable to parse requirement: found '', expected: ',', or identifier"],
    ["a==b==c", "found '==', expected: ',' or 'end of string'"],
    ["a=(b", "unable to parse requirement: found '(', expected: identifier"],
    ["-a", `unable to parse requirement: <nil>: Invalid value: "-a": ${NAME}`],
    [
      "a>b",
      `unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    [
      "a=b@",
      `unable to parse requirement: values[0][a]: Invalid value: "b@": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ` +
        "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    [
      `a=${"x".repeat(64)}`,
      `unable to parse requirement: values[0][a]: Invalid value: "${"x".repeat(64)}": must be no more than 63 bytes`,
    ],
  ])("refuses %j in upstream's words", (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(new SelectorError(message));
  });

  it.each([
    ["a=1", { a: "1" }, true],
    ["a=1", { a: "2" }, false],
    ["a=1", undefined, false],
    ["a!=1", undefined, true],
    ["a notin (1,2)", { a: "3" }, true],
    ["a in (1,2)", { a: "2" }, true],
    ["!a", { b: "" }, true],
    ["a", { a: "" }, true],
    ["constructor", {}, false],
    ["a>5", { a: "6" }, true],
    ["a>5", { a: "x" }, false],
    ["a<5", { a: "9223372036854775808" }, false],
    ["a=1,b=2", { a: "1" }, false],
  ] as const)("%j matches %j: %s", (text, labels, matches) => {
    expect(labelsMatch(parseLabelSelector(text), labels)).toBe(matches);
  });

  it("reads back what it prints", () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,4}$/).filter((text) => !/^\d+$/.test(text));
    const term = fc.oneof(
      word,
      word.map((key) => `!${key}`),
      fc.tuple(word, fc.constantFrom("=", "==", "!="), word).map((parts) => parts.join("")),
      fc.tuple(word, fc.constantFrom("in", "notin"), fc.array(word)).map(([key, op, list]) => `${key} ${op} (${list})`),
      fc.tuple(word, fc.constantFrom("<", ">"), fc.nat()).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(fc.array(term), (terms) => {
        const printed = formatLabelSelector(parseLabelSelector(terms.join(",")));
        expect(formatLabelSelector(parseLabelSelector(printed))).toBe(printed);
      }),
    );
  });

  it("never throws anything but a SelectorError", () => {
    const piece = fc.oneof(
      fc.constantFrom("a", "in", "notin", "(", ")", ",", "=", "!", "<", ">", " ", "\0", "/"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        try {
          parseLabelSelector(pieces.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(SelectorError);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("compileObjectSelector", () => {
  it("joins labels and expressions", () => {
    const selector = compileObjectSelector({
      matchLabels: { a: "1" },
      matchExpressions: [
        { key: "b", operator: "NotIn", values: ["2"] },
        { key: "c", operator: "Exists" },
      ],
    });
    expect(selector && labelsMatch(selector, { a: "1", c: "" })).toBe(true);
    expect(selector && labelsMatch(selector, { a: "1", b: "2", c: "" })).toBe(false);
  });

  it("tells nothing from everything", () => {
    expect(compileObjectSelector(undefined)).toBeUndefined();
    expect(compileObjectSelector({})?.requirements).toEqual([]);
  });
});
