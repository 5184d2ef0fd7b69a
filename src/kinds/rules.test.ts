import { describe, expect, it } from "vitest";
import { exactlyOneOf, fieldImmutable, immutable, requiredOnceSet, rule, ruled } from "./rules.ts";
import { string } from "./schema.ts";

describe("rules", () => {
  it.each([
    [rule("self > 0"), { rule: "self > 0" }],
    [requiredOnceSet("a"), { rule: "!has(oldSelf.a) || has(self.a)", message: "a is required once set" }],
    [fieldImmutable("a", "m"), { rule: "!has(oldSelf.a) || self.a == oldSelf.a", message: "m" }],
    [exactlyOneOf(["a", "b"], "m"), { rule: "has(self.a) != has(self.b)", message: "m" }],
    [
      exactlyOneOf(["a", "b", "c"], "m"),
      { rule: "[has(self.a), has(self.b), has(self.c)].filter(isSet, isSet).size() == 1", message: "m" },
    ],
  ])("%j", (actual, expected) => {
    expect(actual).toEqual(expected);
  });

  it("add up on a schema", () => {
    const both = ruled(immutable(string("d"), "first"), rule("self != ''", "second"));
    expect(both["x-kubernetes-validations"]?.map(({ message }) => message)).toEqual(["first", "second"]);
  });
});
