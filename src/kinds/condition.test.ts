import { describe, expect, it } from "vitest";
import { type Condition, findCondition, isConditionTrue, wireMicroTime, wireTime, withCondition } from "./condition.ts";

const before = new Date("2026-01-02T03:04:05.678Z");
const later = new Date("2026-01-02T04:00:00Z");
const ready: Condition = {
  type: "Ready",
  status: "True",
  reason: "Connected",
  message: "",
  lastTransitionTime: wireTime(before),
};

describe("withCondition", () => {
  it("adds one that was not there, with its time", () => {
    const { lastTransitionTime: _, ...stated } = ready;
    expect(withCondition([], stated, before)).toEqual([ready]);
  });

  it("gives the same array back when nothing about it changed", () => {
    const conditions = [ready];
    expect(withCondition(conditions, { ...ready }, later)).toBe(conditions);
  });

  it.each([
    ["reason", { reason: "Other" }],
    ["message", { message: "still there" }],
    ["observedGeneration", { observedGeneration: 3 }],
  ])("keeps the time when only the %s changes", (_, change) => {
    expect(withCondition([ready], { ...ready, ...change }, later)).toEqual([{ ...ready, ...change }]);
  });

  it("moves the time with the status, and leaves its neighbours alone", () => {
    const other: Condition = { ...ready, type: "Reset" };
    const [first, second] = withCondition([other, ready], { ...ready, status: "False" }, later);
    expect(first).toBe(other);
    expect(second).toMatchObject({ status: "False", lastTransitionTime: "2026-01-02T04:00:00Z" });
  });
});

describe("looking for conditions", () => {
  it("takes Unknown and absent for not true", () => {
    expect(isConditionTrue([ready], "Ready")).toBe(true);
    expect(isConditionTrue([{ ...ready, status: "Unknown" }], "Ready")).toBe(false);
    expect(isConditionTrue(undefined, "Ready")).toBe(false);
    expect(findCondition([ready], "Reset")).toBeUndefined();
  });
});

describe("times on the wire", () => {
  it("have whole seconds, or microseconds where Kubernetes wants them", () => {
    expect(wireTime(before)).toBe("2026-01-02T03:04:05Z");
    expect(wireMicroTime(before)).toBe("2026-01-02T03:04:05.678000Z");
  });
});
