import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkSupportedFields,
  fieldsMatch,
  formatFieldSelector,
  parseFieldSelector,
  requiredFieldValue,
} from "./field-selector.ts";
import { SelectorError } from "./selector-error.ts";

describe("parseFieldSelector", () => {
  it.each([
    ["", []],
    ["metadata.name=a", [{ field: "metadata.name", operator: "=", value: "a" }]],
    ["a==b,", [{ field: "a", operator: "=", value: "b" }]],
    [
      "b!=c,a=",
      [
        { field: "a", operator: "=", value: "" },
        { field: "b", operator: "!=", value: "c" },
      ],
    ],
    ["a=x\\,y\\=z\\\\", [{ field: "a", operator: "=", value: "x,y=z\\" }]],
  ])("%j", (text, requirements) => {
    expect(parseFieldSelector(text).requirements).toEqual(requirements);
  });

  it.each([
    ["a", "invalid selector: 'a'; can't understand 'a'"],
    ["a=b,c", "invalid selector: 'a=b,c'; can't understand 'c'"],
    ["a=b\\", "invalid field selector: invalid escape sequence: \\"],
    ["a=b\\x", "invalid field selector: invalid escape sequence: \\x"],
    ["a=b=c", "invalid field selector: unescaped character in value: 61"],
  ])("refuses %j", (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(new SelectorError(message));
  });

  it("matches what it says", () => {
    const selector = parseFieldSelector("a=1,b!=2");
    expect(fieldsMatch(selector, (field) => ({ a: "1", b: "" })[field] ?? "")).toBe(true);
    expect(fieldsMatch(selector, (field) => ({ a: "1", b: "2" })[field] ?? "")).toBe(false);
    expect(requiredFieldValue(selector, "a")).toBe("1");
    expect(requiredFieldValue(selector, "b")).toBeUndefined();
  });

  it("refuses a field the kind does not know", () => {
    expect(() => checkSupportedFields(parseFieldSelector("a=1,z=2"), new Set(["a"]))).toThrow(
      "field label not supported: z",
    );
  });

  it("reads back what it prints", () => {
    const requirement = fc.tuple(
      fc.stringMatching(/^[a-z.]{1,5}$/),
      fc.constantFrom("=" as const, "!=" as const),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(requirement), (items) => {
        const requirements = items.map(([field, operator, value]) => ({ field, operator, value }));
        const printed = formatFieldSelector({ requirements });
        const sort = (list: readonly object[]): string[] => list.map((item) => JSON.stringify(item)).sort();
        expect(sort(parseFieldSelector(printed).requirements)).toEqual(sort(requirements));
      }),
    );
  });
});
