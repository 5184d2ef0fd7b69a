import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { registryOf } from "./attribute-registry.ts";
import { type Values, validateChange } from "./attribute-validation.ts";

const registry = registryOf({
  RegistryEntries: {
    Attributes: [
      {
        AttributeName: "Mode",
        Type: "Enumeration",
        Value: [{ ValueName: "A", ValueDisplayName: "Alpha" }, { ValueName: "B" }],
        ResetRequired: false,
      },
      {
        AttributeName: "Turbo",
        Type: "Enumeration",
        Value: [{ ValueName: "On" }, { ValueName: "Off" }],
        ResetRequired: false,
      },
      {
        AttributeName: "Cores",
        Type: "Integer",
        LowerBound: 2,
        UpperBound: 64,
        ScalarIncrement: 2,
        ResetRequired: true,
      },
      { AttributeName: "Free", Type: "Integer", LowerBound: 0, UpperBound: 0 },
      { AttributeName: "Phone", Type: "String", MinLength: 2, MaxLength: 5, ResetRequired: false },
      { AttributeName: "Flag", Type: "Boolean" },
      { AttributeName: "Secret", Type: "Password" },
      { AttributeName: "Fixed", Type: "String", ReadOnly: true },
      { AttributeName: "Hidden", Type: "String", Hidden: true },
      { AttributeName: "Burned", Type: "String", Immutable: true },
    ],
    Dependencies: [
      {
        Dependency: {
          MapFrom: [
            { MapFromAttribute: "Mode", MapFromProperty: "CurrentValue", MapFromCondition: "EQU", MapFromValue: "A" },
          ],
          MapToAttribute: "Turbo",
          MapToProperty: "ReadOnly",
          MapToValue: true,
        },
      },
    ],
  },
});
const rules = { unsaidNeedsReset: true };
const problems = (change: Values, current: Values = { Mode: "B" }): readonly string[] =>
  validateChange(registry, change, current, rules).problems.map(({ message }) => message);

describe("one attribute", () => {
  it.each<[Values, RegExp | undefined]>([
    [{ Mode: "A" }, undefined],
    [{ Mode: "Alpha" }, /takes one of A, B/],
    [{ Mode: 1 }, /takes one of A, B/],
    [{ Cores: 4 }, undefined],
    [{ Cores: 5 }, /steps of 2/],
    [{ Cores: 66 }, /takes 2 to 64/],
    [{ Cores: 4.5 }, /whole number/],
    [{ Cores: "4" }, /whole number/],
    [{ Free: 1_000 }, undefined],
    [{ Phone: "abc" }, undefined],
    [{ Phone: "a" }, /at least 2/],
    [{ Phone: "abcdef" }, /at most 5/],
    [{ Flag: true }, undefined],
    [{ Flag: "true" }, /true or false/],
    [{ Secret: "x" }, /type Password/],
    [{ Fixed: "x" }, /cannot be changed/],
    [{ Hidden: "x" }, /cannot be changed/],
    [{ Burned: "x" }, /cannot be changed/],
    [{ Nothing: 1 }, /not an attribute/],
  ])("%j", (change, message) => {
    const found = problems(change);
    if (message === undefined) expect(found).toEqual([]);
    else expect(found).toEqual([expect.stringMatching(message)]);
  });
});

describe("attributes together", () => {
  it("a locked one is refused while its lock holds, and not otherwise", () => {
    expect(problems({ Turbo: "Off" }, { Mode: "A" })).toEqual(["Turbo cannot be changed"]);
    expect(problems({ Turbo: "Off" }, { Mode: "B" })).toEqual([]);
    expect(problems({ Turbo: "Off", Mode: "B" }, { Mode: "A" })).toEqual([]);
    expect(problems({ Turbo: "Off", Mode: "A" }, { Mode: "B" })).toEqual(["Turbo cannot be changed"]);
  });

  it("names that mean something to JavaScript are attributes like others", () => {
    const change = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Values;
    const judged = validateChange(registry, change, {}, rules);
    expect(judged.problems.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
    expect(Object.keys(judged.values)).toEqual(["__proto__", "constructor"]);
  });

  it("every problem is told, none twice", () => {
    expect(problems({ Mode: "X", Cores: 1, Fixed: "x", Phone: "abc" })).toHaveLength(3);
  });
});

describe("whether a restart is needed", () => {
  it.each([
    [{ Mode: "A" }, { unsaidNeedsReset: true }, false],
    [{ Cores: 4 }, { unsaidNeedsReset: false }, true],
    [{ Flag: true }, { unsaidNeedsReset: true }, true],
    [{ Flag: true }, { unsaidNeedsReset: false }, false],
    [{ Mode: "A" }, { unsaidNeedsReset: false, alwaysReset: true }, true],
    [{ Mode: "A", Cores: 4 }, { unsaidNeedsReset: false }, true],
    [{}, { unsaidNeedsReset: true, alwaysReset: true }, false],
  ] as const)("%j with %j: %s", (change, given, expected) => {
    expect(validateChange(registry, change as Values, {}, given).needsReset).toBe(expected);
  });
});

it("display names become value names only where they are taken", () => {
  const taken = validateChange(registry, { Mode: "Alpha" }, {}, { ...rules, acceptDisplayNames: true });
  expect(taken).toMatchObject({ problems: [], values: { Mode: "A" } });
});

it("a registry of any shape is read, and any change judged, without an exception", () => {
  const value = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null));
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), value), (entries, change) => {
      const odd = registryOf({ RegistryEntries: { Attributes: entries, Dependencies: entries } });
      expect(Object.keys(validateChange(odd, change, {}, rules).values)).toEqual(Object.keys(change));
    }),
  );
});
