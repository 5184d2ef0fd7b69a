import { setMaxListeners } from "node:events";
import fc from "fast-check";
import { expect, test } from "vitest";
import { settle } from "#clock";
import { InFlightLimiter, type Release } from "./in-flight-limiter.ts";
import type { Priority } from "./transport.ts";

const never = new AbortController().signal;
setMaxListeners(0, never);

function enter(limiter: InFlightLimiter, priority: Priority, order: string[], label: string = priority) {
  const entered = limiter.tryEnter(priority);
  const place = entered ? Promise.resolve(entered) : limiter.enter(priority, never);
  return place.then((release) => {
    order.push(label);
    return release;
  });
}

test("more urgent goes first", async () => {
  const limiter = new InFlightLimiter(1);
  const holder = limiter.tryEnter("normal") as Release;
  const order: string[] = [];
  for (const priority of ["bulk", "normal", "status"] as const)
    void enter(limiter, priority, order).then((release) => release());
  holder();
  await settle();
  expect(order).toEqual(["status", "normal", "bulk"]);
});

test("a lease never waits behind other work, however much of it there is", async () => {
  const limiter = new InFlightLimiter(2);
  const order: string[] = [];
  for (let at = 0; at < 50; at++) void enter(limiter, "bulk", order);
  expect(limiter.tryEnter("normal")).toBeDefined();
  expect(limiter.tryEnter("normal")).toBeUndefined();
  expect(limiter.tryEnter("lease")).toBeDefined();
  expect(limiter.tryEnter("lease")).toBeDefined();
  expect(limiter.tryEnter("lease")).toBeUndefined();
});

test("bulk leaves room for ordinary work", () => {
  const limiter = new InFlightLimiter(8);
  const bulk = Array.from({ length: 8 }, () => limiter.tryEnter("bulk")).filter((release) => release !== undefined);
  expect(bulk).toHaveLength(6);
  expect(limiter.tryEnter("normal")).toBeDefined();
});

test("bulk is not starved by a steady stream of urgent work", async () => {
  const limiter = new InFlightLimiter(1);
  const order: string[] = [];
  const holder = limiter.tryEnter("status") as Release;
  void enter(limiter, "bulk", order).then((release) => release());
  for (let at = 0; at < 20; at++) void enter(limiter, "status", order).then((release) => release());
  holder();
  await settle();
  expect(order.indexOf("bulk")).toBeGreaterThanOrEqual(0);
  expect(order.indexOf("bulk")).toBeLessThan(5);
});

test("whoever gives up leaves the queue, and the next gets the place", async () => {
  const limiter = new InFlightLimiter(1);
  const holder = limiter.tryEnter("normal") as Release;
  const controller = new AbortController();
  const impatient = limiter.enter("normal", controller.signal).catch((reason: unknown) => reason);
  const order: string[] = [];
  void enter(limiter, "normal", order, "patient");
  controller.abort("enough");
  expect(await impatient).toBe("enough");
  holder();
  await settle();
  expect(order).toEqual(["patient"]);
  expect(limiter.waiting).toBe(0);
});

test("a place is given back once, however often it is said", () => {
  const limiter = new InFlightLimiter(2);
  const release = limiter.tryEnter("normal") as Release;
  limiter.tryEnter("normal");
  release();
  release();
  expect(limiter.inFlight).toBe(1);
});

test("property: the limit holds, and everyone gets in at last", async () => {
  const priorities = fc.constantFrom<Priority>("lease", "status", "normal", "bulk");
  await fc.assert(
    fc.asyncProperty(fc.array(priorities, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), async (asked, places) => {
      const limiter = new InFlightLimiter(places);
      let entered = 0;
      for (const priority of asked) {
        const place = limiter.tryEnter(priority);
        void (place ? Promise.resolve(place) : limiter.enter(priority, never)).then(async (release) => {
          entered++;
          expect(limiter.inFlight).toBeLessThanOrEqual(places + 2);
          await Promise.resolve();
          release();
        });
      }
      await settle();
      expect(entered).toBe(asked.length);
      expect(limiter.inFlight).toBe(0);
    }),
    { numRuns: 50 },
  );
});
