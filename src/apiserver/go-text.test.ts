import { describe, expect, it } from "vitest";
import { goFloat, goJson, goNumber, goQuote } from "./go-text.ts";

describe("goQuote", () => {
  it.each([
    ["plain", '"plain"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["a\\b\n\t\u0007", '"a\\\\b\\n\\t\\a"'],
    ["\u0001\u007f", '"\\x01\\x7f"'],
    ["é日本🎉", '"é日本🎉"'],
    ["\u00ad\u200b", '"\\u00ad\\u200b"'],
    ["\u{e0001}", '"\\U000e0001"'],
  ])("%j", (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });
});

describe("numbers", () => {
  it.each([
    [5, "5"],
    [1e15, "1000000000000000"],
    [1e30, "1e+30"],
    [1.5, "1.5"],
    [1234567.5, "1.2345675e+06"],
    [0.00001, "1e-05"],
  ])("a JSON number %d prints as %s", (value, text) => {
    expect(goNumber(value)).toBe(text);
  });

  it("a float prints with an exponent from a million on", () => {
    expect([0, 100000, 1e6, -2.5e7, Number.NaN, Infinity].map(goFloat)).toEqual([
      "0",
      "100000",
      "1e+06",
      "-2.5e+07",
      "NaN",
      "+Inf",
    ]);
  });
});

describe("goJson", () => {
  it("sorts keys and escapes what HTML would read", () => {
    expect(goJson({ b: [1, null, "<a&b>"], a: { d: true, c: 1.5 } })).toBe(
      '{"a":{"c":1.5,"d":true},"b":[1,null,"\\u003ca\\u0026b\\u003e"]}',
    );
  });
});
