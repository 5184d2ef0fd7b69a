import { describe, expect, it } from "vitest";
import { severityOf, statusOf, worst } from "./status.ts";

describe("severity", () => {
  it.each([
    [[], undefined],
    [[undefined], undefined],
    [["OK", undefined], "OK"],
    [["OK", "Critical", "Warning"], "Critical"],
    [["Warning", "OK"], "Warning"],
  ] as const)("the worst of %j is %s", (all, expected) => expect(worst(all)).toBe(expected));

  it.each([
    ["ok", "OK"],
    ["Critical", "Critical"],
    ["Fatal", "Critical"],
    ["Informational", "OK"],
    ["Purple", undefined],
  ])("%s is %s", (word, severity) => expect(severityOf(word)).toBe(severity));
});

it.each(["HealthRollup", "HealthRollUp"])("a rollup is read when it is spelled %s", (name) => {
  expect(statusOf({ Status: { State: "Enabled", Health: "OK", [name]: "Critical" } })).toEqual({
    state: "Enabled",
    health: "OK",
    rollup: "Critical",
  });
});
