/** Random interleavings of everything a queue can be asked, beside a model too simple to be wrong. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { createWorkQueue } from "./create-work-queue.ts";

interface Waiting {
  key: string;
  priority: number;
  arrived: number;
  joined: number;
}

/** Keeps plain lists and searches them. */
class Model {
  waiting: Waiting[] = [];
  working = new Map<string, number | undefined>();
  delayed: { key: string; due: number; priority: number; order: number }[] = [];
  failures = new Map<string, number>();
  takers = 0;
  now = 0;
  readonly taken: string[] = [];
  #count = 0;
  #turns = 0;

  add(key: string, priority: number): void {
    const again = this.working.get(key);
    const waiting = this.waiting.find((w) => w.key === key);
    if (this.working.has(key)) this.working.set(key, Math.max(again ?? priority, priority));
    else if (!waiting) this.waiting.push({ key, priority, arrived: this.#count, joined: this.#count++ });
    else if (waiting.priority < priority) Object.assign(waiting, { priority, joined: this.#count++ });
    if (this.takers > 0 && this.waiting.length > 0) {
      this.takers--;
      this.take();
    }
  }

  addAfter(key: string, delayMs: number, priority: number): void {
    const due = this.now + delayMs;
    const known = this.delayed.find((d) => d.key === key);
    if (delayMs <= 0) this.add(key, priority);
    else if (known) {
      known.due = Math.min(known.due, due);
      known.priority = Math.max(known.priority, priority);
    } else this.delayed.push({ key, due, priority, order: this.#count++ });
  }

  addRateLimited(key: string): void {
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    this.addAfter(key, 5 * 2 ** failures, 0);
  }

  take(): void {
    const fair = ++this.#turns % 10 === 0;
    const [next] = [...this.waiting].sort((a, b) =>
      fair ? a.arrived - b.arrived : b.priority - a.priority || a.joined - b.joined,
    );
    if (!next) throw new Error("the model has nothing to take");
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.working.set(next.key, undefined);
    this.taken.push(next.key);
  }

  done(key: string): void {
    const again = this.working.get(key);
    this.working.delete(key);
    if (again !== undefined) this.add(key, again);
  }

  advance(byMs: number): void {
    this.now += byMs;
    const due = this.delayed.filter((d) => d.due <= this.now).sort((a, b) => a.due - b.due || a.order - b.order);
    this.delayed = this.delayed.filter((d) => d.due > this.now);
    for (const { key, priority } of due) this.add(key, priority);
  }
}

const key = fc.constantFrom("a", "b", "c", "d", "e", "f");
const priority = fc.integer({ min: -1, max: 2 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("add" as const), key, priority }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("addAfter" as const), key, priority, ms: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("addRateLimited" as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("forget" as const), key }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("take" as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("done" as const), nth: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.nat(30) }) },
);

async function play(script: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): Promise<void> {
  const clock = new VirtualClock();
  const queue = createWorkQueue({ clock });
  const model = new Model();
  const taken: string[] = [];
  const perform = {
    add: (s: { key: string; priority: number }) => {
      queue.add(s.key, s);
      model.add(s.key, s.priority);
    },
    addAfter: (s: { key: string; priority: number; ms: number }) => {
      queue.addAfter(s.key, s.ms, s);
      model.addAfter(s.key, s.ms, s.priority);
    },
    addRateLimited: (s: { key: string }) => {
      queue.addRateLimited(s.key);
      model.addRateLimited(s.key);
    },
    forget: (s: { key: string }) => {
      queue.forget(s.key);
      model.failures.delete(s.key);
    },
    take: () => {
      void queue.take().then((k) => k !== undefined && taken.push(k));
      if (model.waiting.length > 0) model.take();
      else model.takers++;
    },
    done: (s: { nth: number }) => {
      const worked = [...model.working.keys()][s.nth];
      if (worked === undefined) return;
      queue.done(worked);
      model.done(worked);
    },
    advance: async (s: { ms: number }) => {
      await clock.advance(s.ms);
      model.advance(s.ms);
    },
  };
  for (const s of script) {
    await perform[s.do](s as never);
    await Promise.resolve();
    expect(taken).toEqual(model.taken);
    expect(queue.length).toBe(model.waiting.length);
    for (const k of "abcdef") expect(queue.retries(k)).toBe(model.failures.get(k) ?? 0);
  }
  queue.shutDown();
  expect(clock.pendingTimers).toBe(0);
}

it("does in every interleaving what the model does", async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 150, size: "max" }), play), {
    numRuns: 150,
  });
});
