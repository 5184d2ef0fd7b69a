import { expect, it } from "vitest";
import { Backoff } from "./backoff.ts";

it.each([
  [0, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 15_000, 15_000]],
  [0.5, [150, 300, 600, 1200, 2400, 4800, 9600, 19_200, 22_500, 22_500]],
])("doubles up to its cap (dice show %d)", (dice, expected) => {
  const backoff = new Backoff({ next: () => dice });
  expect(expected.map(() => backoff.next())).toEqual(expected);
  expect(backoff.failures).toBe(expected.length);
  backoff.reset();
  expect(backoff.next()).toBe(expected[0]);
});
