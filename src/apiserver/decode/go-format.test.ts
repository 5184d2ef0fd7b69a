import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { goPlain, goSyntax, goTypeOf } from "./go-format.ts";
import { goQuote } from "./go-quote.ts";

describe("Go's formats", () => {
  it.each([
    ["plain", '"plain"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["\n\t\u0000\u007f", '"\\n\\t\\x00\\x7f"'],
    ["é 世 😀", '"é 世 😀"'],
    ["\u00a0\u200b\ufeff", '"\\u00a0\\u200b\\ufeff"'],
    ["\u{e0001}", '"\\U000e0001"'],
  ])("quotes %j", (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });

  it.each([
    [
      { b: [1, "x", null], a: { c: true } },
      "map[a:map[c:true] b:[1 x <nil>]]",
      'map[string]interface {}{"a":map[string]interface {}{"c":true}, "b":[]interface {}{1, "x", interface {}(nil)}}',
      "map[string]interface {}",
    ],
    [[], "[]", "[]interface {}{}", "[]interface {}"],
    [1.5, "1.5", "1.5", "float64"],
    [2, "2", "2", "int64"],
    [false, "false", "false", "bool"],
    ["s", "s", '"s"', "string"],
    [null, "<nil>", "interface {}(nil)", "<nil>"],
  ] as [Json, string, string, string][])("prints %j", (value, plain, syntax, type) => {
    expect([goPlain(value), goSyntax(value), goTypeOf(value)]).toEqual([plain, syntax, type]);
  });
});
