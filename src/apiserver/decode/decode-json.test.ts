import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DecodeError, strictDecodingMessage } from "./decode-error.ts";
import { decodeJson, decodeJsonObject } from "./decode-json.ts";

describe("decodeJson", () => {
  it.each([
    ["", "unexpected end of JSON input"],
    ["{", "unexpected end of JSON input"],
    ['{"a', "unexpected end of JSON input"],
    ["-", "unexpected end of JSON input"],
    ["x", "invalid character 'x' looking for beginning of value"],
    ["[1,]", "invalid character ']' looking for beginning of value"],
    ["{1:2}", "invalid character '1' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ["[1 2]", "invalid character '2' after array element"],
    ["1 2", "invalid character '2' after top-level value"],
    ["01", "invalid character '1' after top-level value"],
    ["-x", "invalid character 'x' in numeric literal"],
    ["1.x", "invalid character 'x' after decimal point in numeric literal"],
    ["1ex", "invalid character 'x' in exponent of numeric literal"],
    ["trux", "invalid character 'x' in literal true (expecting 'e')"],
    ["nul", "unexpected end of JSON input"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ["[".repeat(5_000), "exceeded max depth"],
    ['{"__proto__":{"a":1}}', 'the key "__proto__" is not supported'],
  ])("refuses %j as Go does", (text, message) => {
    expect(() => decodeJson(text)).toThrow(new DecodeError(message));
  });

  it("names every repeated key once, with its path", () => {
    const body = '{"a":1,"b":{"c":[{"d":1,"d":2,"d":3}]},"a":2,"b":{"c":[]}}';
    const { value, strictErrors } = decodeJsonObject(body);
    expect(strictErrors).toEqual(['duplicate field "b.c[0].d"', 'duplicate field "a"', 'duplicate field "b"']);
    expect(value).toEqual({ a: 2, b: { c: [] } });
    expect(strictDecodingMessage(strictErrors)).toBe(
      'strict decoding error: duplicate field "b.c[0].d", duplicate field "a", duplicate field "b"',
    );
  });

  it("sees through escapes when it compares keys", () => {
    expect(decodeJson('{"a":1,"\\u0061":2}').strictErrors).toEqual(['duplicate field "a"']);
  });

  it("says what stands where an object was expected", () => {
    const into = "into Go value of type map[string]interface {}";
    expect(() => decodeJsonObject("[]")).toThrow(`json: cannot unmarshal array ${into}`);
    expect(() => decodeJsonObject('"x"')).toThrow(`json: cannot unmarshal string ${into}`);
    expect(() => decodeJsonObject("true")).toThrow(`json: cannot unmarshal bool ${into}`);
    expect(decodeJsonObject("null").value).toEqual({});
  });

  it("accepts exactly what JSON.parse accepts", () => {
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", "}", "]", ",", ":", '"', "\\", "0", "-", "e", " ", "\t"))
      .map(
        ([text, at, insert]) =>
          text.slice(0, at % (text.length + 1)) + insert + text.slice((at % (text.length + 1)) + (at % 2)),
      );
    fc.assert(
      fc.property(damaged, (text) => {
        fc.pre(!text.includes("__proto__"));
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          expect(() => decodeJson(text)).toThrow(DecodeError);
          return;
        }
        expect(decodeJson(text).value).toEqual(parsed);
      }),
      { numRuns: 3_000 },
    );
  });
});
