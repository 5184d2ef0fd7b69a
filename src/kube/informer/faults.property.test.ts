/** Random writes with random faults in between: in the end cache and handlers know what the server knows. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { minutes, settle } from "#clock";
import { ApiError } from "../client/errors.ts";
import { at, Box, box, resize } from "../testing/box.ts";
import type { MemoryApi } from "../testing/memory-api.ts";
import { type Rig, startRig } from "./informer-rig.ts";

const gone = (verb: string) => new ApiError(verb, 410, { reason: "Expired", message: "too old resource version" });
const broken = (verb: string) => new ApiError(verb, 500, { reason: "InternalError", message: "no" });

/** Everything that can happen to the server, to the line and to time; each is possible at any moment. */
const happenings = {
  create: (api: MemoryApi, n: number) => api.create(Box, box(name(n), n)),
  resize: (api: MemoryApi, n: number) => api.patch(Box, at(name(n)), resize(n)),
  delete: (api: MemoryApi, n: number) => api.delete(Box, at(name(n))),
  replace: async (api: MemoryApi, n: number) => {
    await api.delete(Box, at(name(n)));
    await api.create(Box, box(name(n), n));
  },
  cut: (api: MemoryApi) => api.cutWatches(),
  cutWith410: (api: MemoryApi) => api.cutWatches(gone("watch")),
  end: (api: MemoryApi) => api.endWatches(),
  stall: (api: MemoryApi) => api.stallWatches(),
  compact: (api: MemoryApi) => api.compact(),
  bookmarks: (api: MemoryApi, n: number) => {
    for (let i = 0; i < n % 4; i++) api.bookmark();
  },
  failWatch: (api: MemoryApi, n: number) => api.failNext("watch", broken("watch"), n % 3),
  failList: (api: MemoryApi, n: number) => api.failNext("list", broken("list"), n % 3),
  answer410: (api: MemoryApi) => api.failNext("watch", gone("watch")),
} as const;

type Step = { readonly what: keyof typeof happenings | "settle" | "wait"; readonly n: number };

const name = (n: number) => `box-${n % 5}`;
const writes = ["create", "resize", "resize", "delete", "replace"] as const;
const faults = Object.keys(happenings).slice(4) as (keyof typeof happenings)[];
const n = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constantFrom(...writes), n }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom(...faults), n }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom("settle" as const, "wait" as const), n }) },
);

async function perform({ what, n }: Step, { api, clock }: Rig): Promise<void> {
  if (what === "settle") return settle();
  if (what === "wait") return clock.advance(n ** 2 / 5);
  // A write the server refuses (no such object, already there) is as good a step as any.
  await Promise.resolve(happenings[what](api, n)).catch(() => {});
}

it.each([true, false])("WatchList offered: %s", async (watchList) => {
  const scripts = fc.array(step, { minLength: 5, maxLength: 60, size: "max" });
  await fc.assert(
    fc.asyncProperty(scripts, async (script) => {
      const rig = await startRig({ api: { watchList }, informer: { indexes: { all: () => ["all"] } } });
      for (const each of script) await perform(each, rig);
      await rig.clock.advance(minutes(30));
      expect(rig.errors).toEqual([]);
      expect(rig.informer.byIndex("all", "all")).toHaveLength(rig.informer.list().length);
      rig.expectInStep();
      await rig.end();
    }),
    { numRuns: 120 },
  );
});
