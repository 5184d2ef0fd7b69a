import { describe, expect, it } from "vitest";
import { minutes, seconds, settle, VirtualClock } from "#clock";
import { createWorkQueue, type WorkQueueOptions } from "./create-work-queue.ts";
import type { WorkQueue } from "./work-queue.ts";

function queueOn(options: Partial<WorkQueueOptions> = {}) {
  const clock = new VirtualClock();
  return { clock, queue: createWorkQueue({ clock, ...options }) };
}

async function drain(queue: WorkQueue): Promise<string[]> {
  const taken: string[] = [];
  while (queue.length > 0) {
    const key = await queue.take();
    if (key === undefined) break;
    taken.push(key);
    queue.done(key);
  }
  return taken;
}

describe("a key", () => {
  it("waits once, however often it is added", async () => {
    const { queue } = queueOn();
    for (const key of ["a", "b", "a", "a"]) queue.add(key);
    expect(queue.length).toBe(2);
    expect(await drain(queue)).toEqual(["a", "b"]);
  });

  it("is never worked on twice at once, and comes again when added meanwhile", async () => {
    const { queue } = queueOn();
    queue.add("a");
    expect(await queue.take()).toBe("a");
    queue.add("a");
    queue.add("a");
    expect(queue.length).toBe(0);
    queue.done("a");
    expect(queue.length).toBe(1);
    expect(await drain(queue)).toEqual(["a"]);
  });

  it("goes to a worker that already waits, in the order they came", async () => {
    const { queue } = queueOn();
    const taken: string[] = [];
    const first = queue.take().then((key) => taken.push(`first ${key}`));
    const second = queue.take().then((key) => taken.push(`second ${key}`));
    queue.add("a");
    queue.add("b");
    await Promise.all([first, second]);
    expect(taken).toEqual(["first a", "second b"]);
  });
});

describe("priority", () => {
  it("goes first, and raises a key that waits", async () => {
    const { queue } = queueOn();
    queue.add("low");
    queue.add("mid", { priority: 1 });
    queue.add("high", { priority: 2 });
    queue.add("low", { priority: 3 });
    queue.add("high", { priority: 0 });
    expect(await drain(queue)).toEqual(["low", "high", "mid"]);
  });

  it("given while the key is worked on counts when it comes again", async () => {
    const { queue } = queueOn();
    queue.add("a");
    await queue.take();
    queue.add("b");
    queue.add("a", { priority: 5 });
    queue.add("a");
    queue.done("a");
    expect(await drain(queue)).toEqual(["a", "b"]);
  });

  it("does not starve a low one: it comes within ten takes", async () => {
    const { queue } = queueOn();
    queue.add("patient");
    let takes = 0;
    for (let key: string | undefined; key !== "patient"; takes++) {
      queue.add(`urgent-${takes}`, { priority: 9 });
      key = await queue.take();
    }
    expect(takes).toBe(10);
  });
});

describe("delays", () => {
  it("hold a key back until its time, and the earliest counts", async () => {
    const { clock, queue } = queueOn();
    queue.addAfter("a", seconds(10));
    queue.addAfter("a", seconds(3));
    queue.addAfter("a", seconds(20));
    queue.addAfter("b", seconds(5));
    await clock.advance(seconds(3) - 1);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(await drain(queue)).toEqual(["a"]);
    await clock.advance(seconds(30));
    expect(await drain(queue)).toEqual(["b"]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("of nothing are no delay", async () => {
    const { queue } = queueOn();
    queue.addAfter("a", 0);
    expect(queue.length).toBe(1);
    expect(() => queue.addAfter("a", Number.NaN)).toThrow(RangeError);
  });

  it("catch up after the process was stopped", async () => {
    const { clock, queue } = queueOn();
    for (const [i, key] of ["c", "a", "b"].entries()) queue.addAfter(key, seconds(3 - i));
    clock.jump(minutes(60));
    await clock.advance(0);
    expect(await drain(queue)).toEqual(["b", "a", "c"]);
  });
});

describe("back-off", () => {
  it("starts over when the key is forgotten", async () => {
    const { clock, queue } = queueOn();
    for (let i = 0; i < 8; i++) queue.addRateLimited("a");
    await clock.advance(5);
    expect(await drain(queue)).toEqual(["a"]);
    expect(queue.retries("a")).toBe(8);
    queue.forget("a");
    expect(queue.retries("a")).toBe(0);
    queue.addRateLimited("a");
    await clock.advance(5);
    expect(queue.length).toBe(1);
  });

  it.each([
    [0, 5],
    [1, 10],
    [7, 640],
    [17, 655_360],
    [18, 1_000_000],
    [200, 1_000_000],
  ])("after %i retries is %i ms", async (retries, delayMs) => {
    const { clock, queue } = queueOn();
    for (let i = 0; i < retries; i++) queue.addRateLimited("a");
    await clock.advance(minutes(60));
    await drain(queue);
    queue.addRateLimited("a");
    await clock.advance(delayMs - 1);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1);
  });

  it("is shortened by jitter, never lengthened", async () => {
    const { clock, queue } = queueOn({ baseDelayMs: 1000, jitter: { random: { next: () => 0.5 }, share: 0.4 } });
    queue.addRateLimited("a");
    await clock.advance(799);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1);
  });
});

describe("the end", () => {
  it("lets what waits be taken, drops delays, refuses adds and lets workers go", async () => {
    const { clock, queue } = queueOn();
    queue.add("a");
    queue.addAfter("b", seconds(1));
    queue.shutDown();
    queue.add("c");
    queue.addAfter("d", seconds(1));
    queue.addRateLimited("e");
    expect(clock.pendingTimers).toBe(0);
    expect(await queue.take()).toBe("a");
    expect(await queue.take()).toBeUndefined();
  });

  it("wakes workers that wait", async () => {
    const { queue } = queueOn();
    const taken = Promise.all([queue.take(), queue.take()]);
    queue.shutDown();
    expect(await taken).toEqual([undefined, undefined]);
  });

  it("of one worker's patience takes no key from the others", async () => {
    const { queue } = queueOn();
    const gone = new AbortController();
    const aborted = queue.take(gone.signal);
    const other = queue.take();
    gone.abort();
    queue.add("a");
    await settle();
    expect(await aborted).toBeUndefined();
    expect(await other).toBe("a");
    expect(await queue.take(AbortSignal.abort())).toBeUndefined();
  });
});

it("tells its observer how deep it is, how long keys waited and how long they were worked on", async () => {
  const seen: string[] = [];
  const { clock, queue } = queueOn({
    observer: {
      depth: (keys) => seen.push(`depth ${keys}`),
      waited: (ms) => seen.push(`waited ${ms}`),
      worked: (ms) => seen.push(`worked ${ms}`),
      retried: () => seen.push("retried"),
    },
  });
  queue.add("a");
  await clock.advance(30);
  await queue.take();
  await clock.advance(7);
  queue.addRateLimited("a");
  queue.done("a");
  expect(seen).toEqual(["depth 1", "waited 30", "depth 0", "retried", "worked 7"]);
});
