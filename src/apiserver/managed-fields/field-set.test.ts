import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FieldSet } from "./field-set.ts";
import { comparePathElements, formatPathElement, keyElement, parsePathElement, valueElement } from "./path-element.ts";
import { TypedError } from "./typed-error.ts";

const element = fc.constantFrom("f:a", "f:b", 'k:{"name":"x"}', 'v:"s"', "v:1");
const path = fc.array(element, { minLength: 1, maxLength: 3 });
const fieldSet = fc.array(path, { maxLength: 8 }).map((paths) => FieldSet.of(...paths));
const keys = (set: FieldSet): string[] => [...set.paths()].map((item) => item.join(" ")).sort();

describe("FieldSet", () => {
  it("writes members and parents as FieldsV1 does", () => {
    const set = FieldSet.of(["f:spec", "f:a"], ["f:spec"], ["f:spec", 'k:{"name":"x"}', "f:name"], ["f:meta"]);
    expect(set.toFieldsV1()).toEqual({
      "f:meta": {},
      "f:spec": { ".": {}, "f:a": {}, 'k:{"name":"x"}': { "f:name": {} } },
    });
  });

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(fieldSet, (set) => {
        expect(keys(FieldSet.fromFieldsV1(JSON.parse(JSON.stringify(set.toFieldsV1()))))).toEqual(keys(set));
      }),
    );
  });

  it("is a set of paths under union, intersection and difference", () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        const [left, right] = [new Set(keys(a)), new Set(keys(b))];
        expect(keys(a.union(b))).toEqual([...new Set([...left, ...right])].sort());
        expect(keys(a.intersection(b))).toEqual([...left].filter((item) => right.has(item)).sort());
        expect(keys(a.difference(b))).toEqual([...left].filter((item) => !right.has(item)).sort());
        expect(a.difference(b).isEmpty).toBe([...left].every((item) => right.has(item)));
      }),
    );
  });

  it("takes whole subtrees in a recursive difference", () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        const cut = keys(b);
        const survives = (item: string): boolean =>
          !cut.some((prefix) => item === prefix || item.startsWith(`${prefix} `));
        expect(keys(a.recursiveDifference(b))).toEqual(keys(a).filter(survives));
      }),
    );
  });

  it("ignores kinds of elements it does not know, and refuses what it cannot read", () => {
    expect(keys(FieldSet.fromFieldsV1({ "x:new": {}, "f:a": {} }))).toEqual(["f:a"]);
    for (const bad of ["f", "fa", "k:[1]", "v:{", "i:x", "k:nope"]) {
      expect(() => FieldSet.fromFieldsV1({ [bad]: {} })).toThrow(TypedError);
    }
  });
});

describe("path elements", () => {
  it("prints them as conflicts do", () => {
    expect(formatPathElement("f:spec")).toBe(".spec");
    expect(
      formatPathElement(
        keyElement([
          ["port", 80],
          ["name", 'a"b'],
        ]),
      ),
    ).toBe('[name="a\\"b",port=80]');
    expect(formatPathElement(valueElement(true))).toBe("[=true]");
    expect(formatPathElement("i:3")).toBe("[3]");
  });

  it("spells values as Go does", () => {
    expect(valueElement("<&>")).toBe('v:"\\u003c\\u0026\\u003e"');
    expect(parsePathElement('k:{ "b":1, "a":"<" }')).toBe('k:{"a":"\\u003c","b":1}');
  });

  it("orders fields, keys, values, indices, and numbers by size", () => {
    const sorted = ["f:a", "f:b", 'k:{"n":"a"}', 'k:{"n":"a","p":1}', "v:2", "v:10", 'v:"a"', "v:true", "i:2", "i:10"];
    expect([...sorted].reverse().sort(comparePathElements)).toEqual(sorted);
  });
});
