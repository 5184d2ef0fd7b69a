import { describe, expect, it } from "vitest";
import { seededRandom, VirtualClock } from "#clock";
import { Breaker } from "./breaker.ts";

function breaker() {
  const clock = new VirtualClock();
  return {
    clock,
    breaker: new Breaker({
      clock,
      random: { next: () => 0 },
      threshold: 3,
      firstPauseMs: 1_000,
      longestPauseMs: 6_000,
    }),
  };
}

function fail(one: Breaker, times = 1): void {
  for (let i = 0; i < times; i++) {
    expect(one.admit()).toBe(0);
    one.report("sick");
  }
}

describe("breaker", () => {
  it("opens after failures in a row only", () => {
    const { breaker: one } = breaker();
    fail(one, 2);
    one.report("well");
    fail(one, 2);
    expect(one.state).toBe("closed");
    fail(one);
    expect(one.state).toBe("open");
    expect(one.admit()).toBe(1_000);
  });

  it("lets one probe through after the pause, and pauses longer each time up to a limit", async () => {
    const { breaker: one, clock } = breaker();
    fail(one, 3);
    const pauses: number[] = [];
    for (let round = 0; round < 5; round++) {
      const pause = one.pause();
      pauses.push(pause);
      await clock.advance(pause);
      expect(one.state).toBe("half-open");
      expect(one.admit()).toBe(0);
      expect(one.admit()).toBeGreaterThan(0);
      one.report("sick");
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 6_000, 6_000]);
  });

  it("closes with a probe that is answered", async () => {
    const { breaker: one, clock } = breaker();
    fail(one, 3);
    await clock.advance(1_000);
    expect(one.admit()).toBe(0);
    one.report("well");
    expect(one.state).toBe("closed");
    fail(one, 2);
    expect(one.state).toBe("closed");
  });

  it("lets another probe go when the first was called off", async () => {
    const { breaker: one, clock } = breaker();
    fail(one, 3);
    await clock.advance(1_000);
    expect(one.admit()).toBe(0);
    one.report("unknown");
    expect(one.admit()).toBe(0);
  });

  it("stays away as long as the BMC asks, within reason", async () => {
    const { breaker: one, clock } = breaker();
    one.hold(30_000);
    expect(one.admit()).toBe(30_000);
    await clock.advance(30_000);
    expect(one.admit()).toBe(0);
    one.hold(1e9);
    expect(one.pause()).toBe(10 * 60_000);
  });

  it("spreads the probes of many", () => {
    const clock = new VirtualClock();
    const random = seededRandom(3);
    const pauses = Array.from({ length: 20 }, () => {
      const one = new Breaker({ clock, random });
      fail(one, 3);
      return one.pause();
    });
    expect(new Set(pauses).size).toBeGreaterThan(15);
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(5_000);
  });
});
