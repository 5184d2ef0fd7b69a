import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultKinds } from "./fault.ts";
import { duration, parseScript, select } from "./script.ts";

const bmcs = Array.from({ length: 40 }, (_, at) => ({ profile: { name: at < 10 ? "openbmc" : "generic" } }));

describe("a fault script", () => {
  it("is read as it is written", () => {
    expect(
      parseScript({ steps: [{ at: "90s", for: "5m", on: "5%", fault: "latency", ms: 2000 }, { fault: "black-hole" }] }),
    ).toEqual([
      { atMs: 90_000, forMs: 300_000, on: "5%", fault: { kind: "latency", ms: 2000 } },
      { atMs: 0, on: "*", fault: { kind: "black-hole" } },
    ]);
  });

  it("is refused with every problem at once", () => {
    const bad = [{ fault: "gremlins", on: "!", at: "soon" }, { fault: "latency", ms: "slow", wat: 1 }, 7];
    expect(() => parseScript(bad)).toThrow(
      /step 1: must name.*step 1: needs for "at".*step 1: needs for "on".*step 2: knows no "wat".*step 2: needs a number for "ms".*step 3: is not an object/s,
    );
    expect(() => parseScript("x")).toThrow("a fault script is a list of steps");
  });

  it("knows every kind of fault by name", () => {
    const steps = Object.keys(faultKinds).map((fault) => ({ fault }));
    expect(parseScript(steps).length).toBe(steps.length);
  });

  it("never crashes on what people feed it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          parseScript(value);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
    );
  });
});

describe("a selector", () => {
  it.each([
    ["*", 40],
    ["3", 1],
    ["0-9,12", 11],
    ["38-99", 2],
    ["openbmc", 10],
    ["25%", 10],
    ["50%", 20],
    ["100%", 40],
  ])("%s means %i of 40", (on, count) => {
    expect(select(on, bmcs).length).toBe(count);
  });

  it("of a share means as many as it says, evenly spread and never twice", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 500 }), (percent, count) => {
        const chosen = select(
          `${percent}%`,
          Array.from({ length: count }, () => ({ profile: { name: "x" } })),
        );
        expect(Math.abs(chosen.length - (count * percent) / 100)).toBeLessThanOrEqual(1);
        expect(new Set(chosen).size).toBe(chosen.length);
      }),
    );
  });
});

describe("a duration", () => {
  it.each([
    ["250ms", 250],
    ["1.5s", 1500],
    ["5m", 300_000],
    ["2h", 7_200_000],
    [7, 7],
    ["7", undefined],
    [-1, undefined],
    ["", undefined],
  ])("%j is %j", (text, ms) => {
    expect(duration(text)).toBe(ms);
  });
});
