import fc from "fast-check";
import { expect, it } from "vitest";
import { Heap } from "./heap.ts";

interface Ranked {
  rank: number;
  at: number;
}

type Step = { push: number } | { promote: number; by: number } | "pop";

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ push: fc.integer({ min: 0, max: 50 }) }),
    fc.record({ promote: fc.nat(20), by: fc.nat(10) }),
    fc.constant("pop" as const),
  ),
);

function pop(heap: Heap<Ranked>, model: Ranked[]): void {
  const item = heap.pop();
  expect(item?.rank).toBe(model.length ? Math.min(...model.map(({ rank }) => rank)) : undefined);
  if (item) model.splice(model.indexOf(item), 1);
}

function push(heap: Heap<Ranked>, model: Ranked[], rank: number): void {
  const item = { rank, at: -1 };
  model.push(item);
  heap.push(item);
}

function promote(heap: Heap<Ranked>, item: Ranked | undefined, by: number): void {
  if (!item) return;
  item.rank -= by;
  heap.promoted(item);
}

it("hands out what was pushed in order, whatever was promoted on the way", () => {
  fc.assert(
    fc.property(steps, (script) => {
      const heap = new Heap<Ranked>((a, b) => a.rank < b.rank);
      const model: Ranked[] = [];
      for (const step of script) {
        if (step === "pop") pop(heap, model);
        else if ("push" in step) push(heap, model, step.push);
        else promote(heap, model[step.promote], step.by);
        expect(heap.size).toBe(model.length);
      }
    }),
  );
});
