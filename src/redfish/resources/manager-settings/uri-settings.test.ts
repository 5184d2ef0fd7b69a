import { describe, expect, it } from "vitest";
import { isSubset } from "./uri-settings.ts";

describe("wanted properties", () => {
  it.each([
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, true],
    [{ a: [1] }, { a: [1, 2] }, false],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, false],
    [{ a: [1, 2] }, { a: [1, 2] }, true],
    [{ a: 1 }, {}, false],
    [{ a: null }, { a: null }, true],
    [{}, 7, false],
  ])("%j in %j: %s", (wanted, actual, expected) => expect(isSubset(wanted, actual)).toBe(expected));
});
