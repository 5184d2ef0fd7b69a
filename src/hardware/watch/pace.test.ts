import { describe, expect, it } from "vitest";
import { nextPollMs, type PaceFacts, pace } from "./pace.ts";

const never = { next: () => 0 };
const idle: PaceFacts = { expecting: false, events: false, failures: 0 };

describe("pace", () => {
  it.each([
    ["idle", idle, 60_000],
    ["events work", { ...idle, events: true }, 600_000],
    ["something is expected", { ...idle, expecting: true }, 2_000],
    ["something is expected although events work", { ...idle, expecting: true, events: true }, 2_000],
    ["one read failed", { ...idle, failures: 1 }, 120_000],
    ["many reads failed", { ...idle, failures: 9 }, 300_000],
    ["reads fail while something is expected", { ...idle, expecting: true, failures: 3 }, 16_000],
    ["the BMC asks to be left alone", { ...idle, expecting: true, retryAfterMs: 45_000 }, 45_000],
  ] as const)("%s", (_, facts, ms) => {
    expect(nextPollMs(facts, never)).toBe(ms);
  });

  it("never falls below one request a minute's distance by chance", () => {
    for (const chance of [0, 0.3, 0.999])
      expect(nextPollMs(idle, { next: () => chance })).toBeGreaterThanOrEqual(pace.idleMs);
  });
});
