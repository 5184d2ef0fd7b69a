import { describe, expect, it } from "vitest";
import { patternError, patternMatcher } from "./pattern.ts";

describe("patterns", () => {
  it("find a match anywhere, by RE2's syntax", () => {
    expect(patternMatcher("^[a-z]+$").test("abc")).toBe(true);
    expect(patternMatcher("b").test("abc")).toBe(true);
    expect(patternMatcher("\\z").test("abc")).toBe(true);
  });

  it.each([
    ["(", "error parsing regexp: missing closing ): `(`"],
    ["a**", "error parsing regexp: invalid nested repetition operator: `**`"],
    ["(?=a)", "error parsing regexp: invalid or unsupported Perl syntax: `(?=`"],
    ["(a{1000}){1000}", "error parsing regexp: invalid repeat count: `{1000}`"],
  ])("%s is refused in Go's words", (source, message) => {
    expect(patternError(source)).toBe(message);
    expect(patternMatcher(source).test("a")).toBe(false);
  });

  it("that make other engines backtrack for years take no time", () => {
    const started = performance.now();
    expect(patternMatcher("^(a+)+(a*)*(a|aa)+$").test(`${"a".repeat(100_000)}b`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it("that are large programs are not run on long texts", () => {
    const huge = patternMatcher("(a?){1000}a{1000}b");
    expect(huge.isTooMuch("a".repeat(100))).toBe(false);
    expect(huge.isTooMuch("a".repeat(1_000_000))).toBe(true);
    const started = performance.now();
    expect(huge.test("a".repeat(1_000_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
