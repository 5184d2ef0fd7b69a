import { describe, expect, it } from "vitest";
import { type IntOrString, resolveIntOrPercent } from "./int-or-string.ts";

describe("resolveIntOrPercent", () => {
  it.each<[IntOrString, number, "up" | "down", number | undefined]>([
    [3, 10, "down", 3],
    ["25%", 10, "down", 2],
    ["25%", 10, "up", 3],
    ["0%", 10, "up", 0],
    ["100%", 7, "down", 7],
    ["150%", 10, "down", 15],
    ["25", 10, "down", undefined],
    ["-5%", 10, "down", undefined],
    ["2.5%", 10, "down", undefined],
    ["", 10, "down", undefined],
    [1.5, 10, "down", undefined],
  ])("%j of %d rounded %s is %s", (value, total, round, expected) => {
    expect(resolveIntOrPercent(value, total, round)).toBe(expected);
  });
});
