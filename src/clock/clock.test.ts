import { describe, expect, it } from "vitest";
import { hours, minutes, Pacer, seconds, seededRandom, settle, systemClock, VirtualClock } from "./index.ts";

describe("virtual time", () => {
  it("fires timers in order of due time, then of creation, each at its time", async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${clock.monotonic()}`);
    clock.after(20, note("late"));
    clock.after(10, note("first"));
    clock.after(10, note("second"));
    clock.after(10, () => clock.after(5, note("born later")));
    await clock.advance(19);
    expect(fired).toEqual(["first@10", "second@10", "born later@15"]);
    await clock.advance(1);
    expect(fired.at(-1)).toBe("late@20");
    expect(clock.pendingTimers).toBe(0);
  });

  it("keeps wall and monotonic time together, from where it was started", async () => {
    const clock = new VirtualClock(new Date("2026-05-01T00:00:00Z"));
    await clock.advance(hours(1) + minutes(2) + seconds(3));
    expect(clock.now()).toEqual(new Date("2026-05-01T01:02:03Z"));
    expect(clock.monotonic()).toBe(3_723_000);
  });

  it("jumps as a stopped process does: timers fire late", async () => {
    const clock = new VirtualClock();
    let firedAt: number | undefined;
    clock.after(10, () => {
      firedAt = clock.monotonic();
    });
    clock.jump(1000);
    expect(firedAt).toBeUndefined();
    await clock.advance(0);
    expect(firedAt).toBe(1000);
  });

  it("does not fire what was called off", async () => {
    const clock = new VirtualClock();
    let fired = false;
    const timer = clock.after(10, () => {
      fired = true;
    });
    timer.cancel();
    await clock.advance(20);
    expect(fired).toBe(false);
  });
});

describe.each([
  ["virtual", () => new VirtualClock()],
  ["system", () => systemClock],
] as const)("sleeping on the %s clock", (_, make) => {
  it("ends with the signal's reason, at once when it is aborted already", async () => {
    const clock = make();
    const control = new AbortController();
    const asleep = clock.sleep(hours(1), control.signal);
    control.abort(new Error("wake up"));
    await expect(asleep).rejects.toThrow("wake up");
    await expect(clock.sleep(hours(1), control.signal)).rejects.toThrow("wake up");
    if (clock instanceof VirtualClock) expect(clock.pendingTimers).toBe(0);
  });
});

it("sleeps for the time it was given", async () => {
  const clock = new VirtualClock();
  let awake = false;
  const asleep = clock.sleep(100).then(() => {
    awake = true;
  });
  await clock.advance(99);
  expect(awake).toBe(false);
  await clock.advance(1);
  await asleep;
  expect(awake).toBe(true);
});

describe("the system clock", () => {
  it("takes a delay beyond what a timer can hold in stages, instead of firing at once", async () => {
    let fired = false;
    const timer = systemClock.after(2 ** 40, () => {
      fired = true;
    });
    await settle();
    timer.cancel();
    expect(fired).toBe(false);
  });

  it("never goes back, and fires", async () => {
    const before = systemClock.monotonic();
    await systemClock.sleep(1);
    expect(systemClock.monotonic()).toBeGreaterThan(before);
  });
});

describe("a pacer", () => {
  it("asks for a pause only when the slice is used up, and forgets it when the loop turned by itself", async () => {
    const clock = new VirtualClock();
    const pacer = new Pacer(clock, 10);
    expect(pacer.pause()).toBeUndefined();
    clock.jump(9);
    expect(pacer.pause()).toBeUndefined();
    clock.jump(1);
    const pause = pacer.pause();
    expect(pause).toBeInstanceOf(Promise);
    await pause;
    expect(pacer.pause()).toBeUndefined();
    await settle();
    clock.jump(1000);
    expect(pacer.pause()).toBeUndefined();
  });

  it("lets others run in the middle of a long loop", async () => {
    const clock = new VirtualClock();
    const pacer = new Pacer(clock, 10);
    let others = 0;
    setImmediate(() => others++);
    for (let i = 0; i < 11; i++) {
      const pause = pacer.pause();
      if (pause) await pause;
      clock.jump(1);
    }
    expect(others).toBe(1);
  });
});

it("repeats a seed, and spreads over [0, 1)", () => {
  const [a, b] = [seededRandom(5), seededRandom(5)];
  const drawn = Array.from({ length: 1000 }, () => a.next());
  expect(drawn).toEqual(Array.from({ length: 1000 }, () => b.next()));
  expect(drawn.every((x) => x >= 0 && x < 1)).toBe(true);
  expect(Math.abs(drawn.reduce((sum, x) => sum + x) / 1000 - 0.5)).toBeLessThan(0.05);
  expect(seededRandom(6).next()).not.toBe(drawn[0]);
});
