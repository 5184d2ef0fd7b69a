import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  InvalidSelector,
  type LabelSelector,
  matchesRequirements,
  matchesSelector,
  requirementsOf,
} from "./label-selector.ts";
import { formatRequirements, formatSelector, parseSelector } from "./selector-text.ts";
import { selectedLabels as labels, notSelectors, selectorVectors } from "./testing/vectors.ts";

const expression = (key: string, operator: string, values?: string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, ...(values && { values }) }],
});

describe("matchesSelector", () => {
  it.each<[LabelSelector | undefined, boolean]>([
    [undefined, false],
    [{}, true],
    [{ matchLabels: {} }, true],
    [{ matchLabels: { app: "web" } }, true],
    [{ matchLabels: { app: "web", tier: "back" } }, false],
    [{ matchLabels: { empty: "" } }, true],
    [{ matchLabels: { toString: "x" } }, false],
    [expression("app", "In", ["api", "web"]), true],
    [expression("app", "In", ["api"]), false],
    [expression("none", "In", ["a"]), false],
    [expression("app", "NotIn", ["api"]), true],
    [expression("app", "NotIn", ["web"]), false],
    [expression("none", "NotIn", ["a"]), true],
    [expression("app", "Exists"), true],
    [expression("toString", "Exists"), false],
    [expression("none", "DoesNotExist"), true],
    [expression("app", "DoesNotExist"), false],
  ])("%j: %s", (selector, expected) => {
    expect(matchesSelector(selector, labels)).toBe(expected);
  });

  it("matches an object without labels as one with none", () => {
    expect(matchesSelector({}, undefined)).toBe(true);
    expect(matchesSelector(expression("app", "Exists"), undefined)).toBe(false);
  });

  it("refuses what cannot be evaluated, naming every problem", () => {
    const selector = {
      matchExpressions: [
        { key: "a", operator: "In" },
        { key: "b", operator: "Exists", values: ["x"] },
        { key: "c", operator: "Like", values: ["x"] },
      ],
    };
    const refused = () => matchesSelector(selector, labels);
    expect(refused).toThrow(InvalidSelector);
    expect(refused).toThrow(/a: In needs.*b: Exists takes no.*c: unknown operator "Like"/);
  });
});

describe("selector text", () => {
  it.each(selectorVectors)("%s: %s", (text, expected) => {
    expect(matchesRequirements(parseSelector(text), labels)).toBe(expected);
  });

  it.each(notSelectors)("%j is refused", (text) => {
    expect(() => parseSelector(text)).toThrow(InvalidSelector);
  });

  it.each(["a..b/c", `${"a".repeat(254)}/b`, "a.-b/c", `a=${"b".repeat(64)}`])("%j is no label", (text) => {
    expect(() => parseSelector(text)).toThrow(InvalidSelector);
  });

  it("is read in one pass, however long", () => {
    expect(parseSelector("a,".repeat(50_000).concat("a")).length).toBe(50_001);
    expect(parseSelector(`a in (${"b,".repeat(50_000)}b)`)[0]?.values.length).toBe(50_001);
  });

  it("names every problem at once", () => {
    expect(() => parseSelector("a=-,-b,c>x")).toThrow(/"-" is no label value.*"-b" is no label key.*c is compared/);
  });

  it("is written the way it is read", () => {
    const selector = {
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "tier", operator: "NotIn", values: ["a", "b"] },
        { key: "x/y", operator: "DoesNotExist" },
      ],
    };
    expect(formatSelector(selector)).toBe("app=web,tier notin (a,b),!x/y");
    expect(formatSelector({})).toBe("");
  });
});

const name = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,10}[A-Za-z0-9])?$/);
const key = fc.oneof(
  name,
  fc.tuple(fc.stringMatching(/^[a-z0-9]{1,8}\.example$/), name).map((parts) => parts.join("/")),
);
const values = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
const requirement = fc.oneof(
  fc.record({ key, operator: fc.constantFrom("In", "NotIn"), values }),
  fc.record({ key, operator: fc.constantFrom("Exists", "DoesNotExist") }),
);
const selectors: fc.Arbitrary<LabelSelector> = fc.record(
  {
    matchLabels: fc.dictionary(key, name, { maxKeys: 3, noNullPrototype: true }),
    matchExpressions: fc.array(requirement, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

describe("a selector and its text", () => {
  it("mean the same", () => {
    fc.assert(
      fc.property(selectors, fc.dictionary(key, name, { noNullPrototype: true }), (selector, some) => {
        const requirements = parseSelector(formatSelector(selector));
        expect(requirements).toEqual(requirementsOf(selector));
        expect(matchesRequirements(requirements, some)).toBe(matchesSelector(selector, some));
        expect(formatRequirements(requirements)).toBe(formatSelector(selector));
      }),
    );
  });

  it("is refused by name or read, never anything else", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab=!<>(), in1") }), (text) => {
        try {
          parseSelector(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidSelector);
        }
      }),
    );
  });
});
