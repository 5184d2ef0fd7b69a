import { describe, expect, it } from "vitest";
import { seconds, seededRandom, settle, VirtualClock } from "#clock";
import type { List, ListOptions, WatchOptions } from "../client/client.ts";
import { ApiError } from "../client/errors.ts";
import { Box, box } from "../testing/box.ts";
import { MemoryApi } from "../testing/memory-api.ts";
import { startRig } from "./informer-rig.ts";
import { Reflector, type ReflectorOptions } from "./reflector.ts";

const deps = () => ({ clock: new VirtualClock(), random: seededRandom(3) });

function reflect(options: ReflectorOptions) {
  const states: string[][] = [];
  const reflector = new Reflector<Box>(
    options,
    Box,
    {},
    {
      admit: (object) => object,
      replace: async (state) => void states.push([...state.keys()]),
      apply: () => {},
    },
  );
  const stop = new AbortController();
  const run = reflector.run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await run;
  };
  return { reflector, states, end };
}

async function apiWith(...names: string[]): Promise<MemoryApi> {
  const api = new MemoryApi();
  for (const name of names) await api.create(Box, box(name));
  return api;
}

describe("a list", () => {
  it("whose moment is compacted away between two pages is asked for again in one answer", async () => {
    const api = await apiWith("a", "b", "c");
    const asked: (number | undefined)[] = [];
    async function* pages(kind: unknown, options: ListOptions = {}): AsyncGenerator<List<never>> {
      asked.push(options.pageSize);
      for await (const page of api.pages(kind as typeof Box, options)) {
        yield page as List<never>;
        if (page.metadata.continue) throw new ApiError("list boxes", 410, { reason: "Expired", message: "too slow" });
      }
    }
    const client = { pages, watch: api.watch.bind(api) };
    const { states, end } = reflect({ client, ...deps(), watchList: false, pageSize: 2 });
    await settle();
    expect(asked).toEqual([2, 1_000_000]);
    expect(states).toEqual([["ns/a", "ns/b", "ns/c"]]);
    await end();
  });

  it("without a resourceVersion is no state to follow on from", async () => {
    const api = await apiWith("a");
    async function* pages(): AsyncGenerator<List<never>> {
      yield { items: [], metadata: {} };
    }
    const { reflector, states, end } = reflect({
      client: { pages, watch: api.watch.bind(api) },
      ...deps(),
      watchList: false,
    });
    await settle();
    expect(states).toEqual([]);
    expect(reflector.lastError).toMatchObject({ message: expect.stringContaining("no resourceVersion") });
    await end();
  });
});

describe("a watch", () => {
  it("asks for five to ten minutes, differently each time", async () => {
    const api = await apiWith("a");
    const asked: WatchOptions[] = [];
    const watch: MemoryApi["watch"] = (kind, options) => {
      asked.push(options);
      return api.watch(kind, options);
    };
    const { clock, random } = deps();
    const { end } = reflect({ client: { pages: api.pages.bind(api), watch }, clock, random });
    await settle();
    for (let i = 0; i < 20; i++) {
      await clock.advance(seconds(100));
      api.endWatches();
      await settle();
    }
    const lengths = asked.map(({ timeoutSeconds = 0 }) => timeoutSeconds);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(300);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(600);
    expect(new Set(lengths).size).toBeGreaterThan(10);
    expect(asked[0]).toMatchObject({ sendInitialEvents: true });
    expect(asked[0]).not.toHaveProperty("resourceVersion");
    expect(asked[1]).toMatchObject({ resourceVersion: "2" });
    await end();
  });

  it("resumed after its kind was gone starts from the whole state", async () => {
    const api = await apiWith("a");
    const { clock, random } = deps();
    const { states, end } = reflect({ client: api, clock, random, watchList: false });
    await settle();
    api.failNext("watch", new ApiError("watch boxes", 404, { reason: "NotFound", message: "no such kind" }));
    api.cutWatches();
    await clock.advance(seconds(2));
    expect(states).toHaveLength(2);
    await end();
  });
});

it("lets others run in the middle of a burst", async () => {
  const rig = await startRig();
  const turns: number[] = [];
  rig.informer.subscribe({ added: () => rig.clock.jump(1) });
  for (let i = 0; i < 100; i++) await rig.api.create(Box, box(`box-${i}`));
  while (rig.told.length < 100) {
    await new Promise((resolve) => setImmediate(resolve));
    turns.push(rig.told.length);
  }
  // A slice is ten milliseconds, so ten of these events; two may fall between two looks.
  expect(Math.max(...turns.map((told, i) => told - (turns[i - 1] ?? 0)))).toBeLessThanOrEqual(25);
  await rig.end();
});
