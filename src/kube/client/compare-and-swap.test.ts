/** The guard that matters most: what `update` and `patchDifference` write never overwrites what they did not see. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom, VirtualClock } from "#clock";
import { ConfigMap } from "#kinds";
import type { Transport } from "../transport/transport.ts";
import type { Client } from "./client.ts";
import { createClient } from "./create-client.ts";
import { isConflict, OutcomeUnknown } from "./errors.ts";
import { type Fate, TinyApi } from "./tiny-api.ts";

const NAME = { namespace: "default", name: "counter" };

function clientOn(transport: Transport, clock = new VirtualClock()): Client {
  return createClient(transport, { clock, random: seededRandom(1), userAgent: "test" });
}

type Writer = (client: Client, before: ConfigMap, after: ConfigMap) => Promise<ConfigMap>;
const byUpdate: Writer = (client, _, after) => client.update(ConfigMap, after);
const byPatch: Writer = (client, before, after) => client.patchDifference(ConfigMap, before, after);

function increased(object: ConfigMap): ConfigMap {
  return { ...object, data: { count: String(Number(object.data?.count ?? 0) + 1) } };
}

/** Reads, adds one, writes; again when another was faster. Returns what it was told. */
async function increase(client: Client, write: Writer): Promise<"written" | "unknown" | "failed"> {
  for (;;) {
    try {
      const before = await client.get(ConfigMap, NAME);
      await write(client, before, increased(before));
      return "written";
    } catch (error) {
      if (isConflict(error)) continue;
      return error instanceof OutcomeUnknown ? "unknown" : "failed";
    }
  }
}

async function race(api: TinyApi, transport: Transport, write: Writer): Promise<{ told: number; count: number }> {
  const client = clientOn(transport);
  await client.create(ConfigMap, { metadata: NAME, data: { count: "0" } });
  const results = await Promise.all(Array.from({ length: 20 }, () => increase(client, write)));
  const told = results.filter((result) => result === "written").length;
  return { told, count: Number(api.objects.get("counter")?.data?.count) };
}

/** The same transport for a client that forgot the guard: no write carries a resourceVersion. */
function withoutGuard(api: TinyApi): Transport {
  return {
    request: (request) => {
      if (request.method !== "PUT" && request.method !== "PATCH") return api.request(request);
      const body = JSON.parse(String(request.body)) as ConfigMap;
      delete body.metadata.resourceVersion;
      return api.request({ ...request, body: JSON.stringify(body) });
    },
    close: () => api.close(),
  };
}

test.each([
  ["update", byUpdate],
  ["patchDifference", byPatch],
])("%s: twenty writers lose nothing, and without the guard they do", async (_, write) => {
  const guarded = new TinyApi();
  expect(await race(guarded, guarded, write)).toEqual({ told: 20, count: 20 });
  const unguarded = new TinyApi();
  const { told, count } = await race(unguarded, withoutGuard(unguarded), write);
  expect(told).toBe(20);
  expect(count).toBeLessThan(20);
});

/** Runs everything to its end, moving the clock for those who back off. */
async function settled<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let done = false;
  const finished = work.finally(() => {
    done = true;
  });
  while (!done) await clock.advance(1000);
  return finished;
}

test("property: whatever gets lost, what was reported as written was written once, and Unknown is never reported as anything else", async () => {
  const fates = fc.array(fc.constantFrom<Fate>("answered", "not sent", "lost before", "lost after"), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fates, fc.constantFrom(byUpdate, byPatch), async (script, write) => {
      const api = new TinyApi();
      const clock = new VirtualClock();
      const client = clientOn(api, clock);
      await client.create(ConfigMap, { metadata: NAME, data: { count: "0" } });
      const fate = [...script];
      api.fate = () => fate.shift() ?? "answered";
      const results = await settled(clock, Promise.all(Array.from({ length: 4 }, () => increase(client, write))));
      const written = results.filter((result) => result === "written").length;
      const unknown = results.filter((result) => result === "unknown").length;
      const count = Number(api.objects.get("counter")?.data?.count);
      expect(results).not.toContain("failed");
      expect(count).toBeGreaterThanOrEqual(written);
      expect(count).toBeLessThanOrEqual(written + unknown);
      expect(clock.pendingTimers).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test("update and patchDifference refuse an object that was never read", async () => {
  const client = clientOn(new TinyApi());
  const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: NAME };
  await expect(client.update(ConfigMap, object)).rejects.toThrow(/resourceVersion is missing; read the object first/);
  await expect(client.patchDifference(ConfigMap, object, { ...object, data: {} })).rejects.toThrow(/resourceVersion/);
});

test("patchDifference sends nothing when nothing differs, and the difference alone otherwise", async () => {
  const api = new TinyApi();
  const client = clientOn(api);
  const before = await client.create(ConfigMap, { metadata: NAME, data: { a: "1", b: "2" } });
  api.processed.length = 0;
  expect(await client.patchDifference(ConfigMap, before, structuredClone(before))).toBe(before);
  expect(api.processed).toEqual([]);
  let body: unknown;
  api.fate = (request) => {
    body = JSON.parse(String(request.body));
    return "answered";
  };
  await client.patchDifference(ConfigMap, before, { ...before, data: { a: "1", c: "3" } });
  expect(body).toEqual({ data: { b: null, c: "3" }, metadata: { resourceVersion: before.metadata.resourceVersion } });
});
