import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, formatDurationNs, parseDuration, parseDurationNs } from "./duration.ts";

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe("durations", () => {
  it.each([
    ["0", 0n],
    ["0s", 0n],
    ["-0", 0n],
    ["5s", 5_000_000_000n],
    ["1h30m", 5_400_000_000_000n],
    ["720h", 2_592_000_000_000_000n],
    ["1.5h", 5_400_000_000_000n],
    [".5s", 500_000_000n],
    ["5.s", 5_000_000_000n],
    ["-1.5s", -1_500_000_000n],
    ["+5s", 5_000_000_000n],
    ["100ns", 100n],
    ["3us", 3_000n],
    ["3µs", 3_000n],
    ["3μs", 3_000n],
    ["1h1m1s1ms1us1ns", 3_661_001_001_001n],
    ["-9223372036854775808ns", -(2n ** 63n)],
  ])("reads %s", (text, ns) => {
    expect(parseDurationNs(text)).toBe(ns);
  });

  it.each([
    "",
    "-",
    "3",
    "s",
    ".s",
    "1d",
    "1 h",
    "1h ",
    "h1",
    "--1s",
    "1.2.3s",
    "9223372036854775808ns",
    "3000000h",
    "٣s",
  ])("refuses %j as Go does", (text) => {
    expect(parseDurationNs(text)).toBeUndefined();
    expect(parseDuration(text)).toBeUndefined();
  });

  it.each([
    [0n, "0s"],
    [1n, "1ns"],
    [1_100n, "1.1µs"],
    [2_200_000n, "2.2ms"],
    [3_300_000_000n, "3.3s"],
    [245_000_000_000n, "4m5s"],
    [245_001_000_000n, "4m5.001s"],
    [18_367_001_000_000n, "5h6m7.001s"],
    [480_000_000_001n, "8m0.000000001s"],
    [9_223_372_036_854_775_807n, "2562047h47m16.854775807s"],
    [-9_223_372_036_854_775_808n, "-2562047h47m16.854775808s"],
  ])("writes %s as %s", (ns, text) => {
    expect(formatDurationNs(ns)).toBe(text);
  });

  it("come back as they went", () => {
    fc.assert(
      fc.property(int64, (ns) => {
        expect(parseDurationNs(formatDurationNs(ns))).toBe(ns);
      }),
    );
  });

  it("add up part by part", () => {
    const part = fc.record({ count: fc.nat(10_000), unit: fc.constantFrom("h", "m", "s", "ms", "us", "ns") });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const texts = parts.map(({ count, unit }) => `${count}${unit}`);
        const sum = texts.reduce((total, text) => total + (parseDurationNs(text) ?? 0n), 0n);
        expect(parseDurationNs(texts.join(""))).toBe(sum);
      }),
    );
  });

  it("never throw, whatever the text", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseDurationNs(text)));
  });

  it("are milliseconds for timers", () => {
    expect(parseDuration("2m")).toBe(120_000);
    expect(parseDuration("1us")).toBe(0.001);
    expect(formatDuration(90_000)).toBe("1m30s");
  });
});
