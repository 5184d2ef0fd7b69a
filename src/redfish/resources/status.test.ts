import { describe, expect, it } from "vitest";
import { severityOf, worst } from "./status.ts";

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
