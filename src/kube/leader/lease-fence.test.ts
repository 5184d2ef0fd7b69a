import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { Fenced } from "../transport/fence.ts";
import { LeaseFence } from "./lease-fence.ts";

describe("lease fence", () => {
  it("is open before anyone was elected, however long that takes", () => {
    const clock = new VirtualClock();
    const fence = new LeaseFence(clock);
    clock.jump(1e9);
    expect(() => fence.check()).not.toThrow();
  });

  it("closes at the deadline by the clock alone and never opens again", () => {
    const clock = new VirtualClock();
    const fence = new LeaseFence(clock);
    fence.extendTo(10_000);
    clock.jump(9_999);
    fence.check();
    clock.jump(1);
    expect(() => fence.check()).toThrow(Fenced);
    expect(fence.extendTo(50_000)).toBe(false);
    expect(() => fence.check()).toThrow(/not renewed in time/);
  });

  it("a candidate whose answer came too late does not hold the lease, and may try again", () => {
    const clock = new VirtualClock();
    const fence = new LeaseFence(clock);
    clock.jump(20_000);
    expect(fence.extendTo(19_000)).toBe(false);
    fence.check();
    expect(fence.extendTo(30_000)).toBe(true);
  });

  it("after close, the lease can still be given back until the deadline", () => {
    const clock = new VirtualClock();
    const fence = new LeaseFence(clock);
    fence.extendTo(10_000);
    fence.close("stopping");
    expect(() => fence.check()).toThrow(/stopping/);
    fence.renewal.check();
    clock.jump(10_000);
    expect(() => fence.renewal.check()).toThrow(Fenced);
  });

  it("never lets a request pass after a deadline it once had, in any order of events", () => {
    const wait = fc.nat(20_000).map(
      (ms) =>
        ({ clock }: Scene) =>
          clock.jump(ms),
    );
    const renew = fc.integer({ min: -5_000, max: 15_000 }).map(
      (ms) =>
        ({ clock, fence }: Scene) =>
          void fence.extendTo(clock.monotonic() + ms),
    );
    const close = fc.constant(({ fence }: Scene) => {
      fence.close("told to");
      return "over";
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(wait, renew, close), { maxLength: 30 }), (steps) => {
        const clock = new VirtualClock();
        const fence = new LeaseFence(clock);
        let over = false;
        for (const step of steps) {
          over = step({ clock, fence }) === "over" || over || clock.monotonic() >= fence.deadline;
          expect(fence.closed !== undefined).toBe(over);
        }
      }),
    );
  });
});

interface Scene {
  readonly clock: VirtualClock;
  readonly fence: LeaseFence;
}
