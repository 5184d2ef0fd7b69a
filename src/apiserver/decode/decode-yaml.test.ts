import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DecodeError } from "./decode-error.ts";
import { decodeApplyConfiguration, decodeYaml } from "./decode-yaml.ts";

const scalarOf = (text: string): unknown => (decodeYaml(`a: ${text}\n`).value as { a: unknown }).a;

describe("decodeYaml", () => {
  it.each([
    ["yes", true],
    ["On", true],
    ["y", true],
    ["no", false],
    ["OFF", false],
    ["n", false],
    ["true", true],
    ["tRue", "tRue"],
    ["~", null],
    ["null", null],
    ["", null],
    ["017", 15],
    ["0o17", 15],
    ["0x1F", 31],
    ["0b101", 5],
    ["-0x10", -16],
    ["+7", 7],
    ["1_000", 1000],
    ["0", 0],
    ["1.5", 1.5],
    [".5", 0.5],
    ["1e3", 1000],
    ["12:30:45", "12:30:45"],
    ["2024-01-02", "2024-01-02"],
    ["1.2.3", "1.2.3"],
    ["08", 8],
    ['"yes"', "yes"],
    ["'017'", "017"],
    ["<<x", "<<x"],
    ["-", "-"],
  ])("reads %s as %j", (text, value) => {
    if (text === "-") return expect(() => scalarOf(text)).toThrow(DecodeError);
    expect(scalarOf(text)).toEqual(value);
  });

  it("turns the keys of a map into text", () => {
    expect(decodeYaml("1: a\nyes: b\n2.5: c\n").value).toEqual({ "1": "a", true: "b", "2.5": "c" });
  });

  it("reports repeated keys with their line", () => {
    const { value, strictErrors } = decodeYaml("a: 1\nb:\n  c: 1\n  c: 2\na: 2\n");
    expect(value).toEqual({ a: 2, b: { c: 2 } });
    expect(strictErrors).toEqual([
      'yaml: unmarshal errors:\n  line 5: key "a" already set in map\n  line 4: key "c" already set in map',
    ]);
  });

  it("reads JSON under the YAML media type, repeated keys included", () => {
    expect(decodeYaml('{"a": "yes", "b": [017]}').value).toEqual({ a: "yes", b: [15] });
    expect(decodeYaml('{"a": 1, "a": 2}').strictErrors).toEqual([
      'yaml: unmarshal errors:\n  line 1: key "a" already set in map',
    ]);
  });

  it("gives aliases copies of their own", () => {
    const { value } = decodeYaml("a: &x {b: 1}\nc: *x\n");
    const { a, c } = value as { a: object; c: object };
    expect(c).toEqual({ b: 1 });
    expect(c).not.toBe(a);
  });

  it("takes the first document only", () => {
    expect(decodeYaml("a: 1\n---\nb: 2\n").value).toEqual({ a: 1 });
  });

  it.each([
    [
      "excessive aliases",
      `${["a: &a [x,x,x,x,x,x,x,x,x,x]"].concat([..."bcdefgh"].map((n, i) => `${n}: &${n} [${Array(10).fill(`*${"abcdefg"[i]}`).join(",")}]`)).join("\n")}\n`,
    ],
    ["deep nesting", "[".repeat(20_000)],
    ["an unknown alias", "a: *nope\n"],
    ["a prototype key", "a: {__proto__: {b: 1}}\n"],
    ["not a number", "a: .nan\n"],
  ])("refuses %s", (_, text) => {
    expect(() => decodeYaml(text)).toThrow(DecodeError);
  });

  it("never throws anything but a DecodeError", () => {
    const piece = fc.constantFrom(
      "a",
      ":",
      " ",
      "\n",
      "- ",
      "{",
      "}",
      "[",
      "]",
      ",",
      "&x",
      "*x",
      "!!",
      "|",
      ">",
      "'",
      '"',
      "#",
      "?",
      "%",
      "---",
      "\t",
      "<<: ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          decodeYaml(pieces.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("decodeApplyConfiguration", () => {
  it("wraps refusals in upstream's sentence", () => {
    expect(() => decodeApplyConfiguration("- a\n")).toThrow(
      "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}",
    );
    expect(() => decodeApplyConfiguration("a: [\n")).toThrow(
      /^error decoding YAML: error converting YAML to JSON: yaml: line /,
    );
    expect(decodeApplyConfiguration("a: 1\na: 1\n").strictErrors).toEqual([
      'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 2: key "a" already set in map',
    ]);
    expect(decodeApplyConfiguration("").value).toEqual({});
  });
});
