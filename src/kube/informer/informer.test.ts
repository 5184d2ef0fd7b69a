import { describe, expect, it } from "vitest";
import { minutes, seconds, settle, VirtualClock } from "#clock";
import { at, Box, box, resize } from "../testing/box.ts";
import { MemoryApi } from "../testing/memory-api.ts";
import { createInformer } from "./create-informer.ts";
import { keyOf, parseKey } from "./informer.ts";
import { startRig } from "./informer-rig.ts";

const bySize = { size: (object: Box) => [`${object.spec?.size}`] };

describe("keys", () => {
  it.each([
    [{ name: "a" }, "a"],
    [{ name: "a", namespace: "ns" }, "ns/a"],
  ])("%j is written %s and read back", (name, key) => {
    expect(keyOf(name)).toBe(key);
    expect(parseKey(key)).toEqual(name);
  });
});

describe.each([true, false])("syncing, WatchList offered: %s", (watchList) => {
  it("tells of the first list as initial, and of what follows as it happens", async () => {
    const before = (api: MemoryApi) => Promise.all([api.create(Box, box("a")), api.create(Box, box("b"))]);
    const rig = await startRig({ api: { watchList }, before });
    expect(rig.informer.hasSynced).toBe(true);
    await rig.informer.synced();
    await rig.api.create(Box, box("c"));
    await rig.api.patch(Box, at("a"), resize(2));
    await rig.api.delete(Box, at("b"));
    await settle();
    expect(rig.told).toEqual(["initial a 1", "initial b 1", "added c 1", "updated a 2", "deleted b 1"]);
    rig.expectInStep();
    await rig.end();
  });

  it("syncs on nothing at all", async () => {
    const rig = await startRig({ api: { watchList } });
    expect(rig.informer.hasSynced).toBe(true);
    await rig.end();
  });
});

describe("handlers", () => {
  it("that come late get what exists first", async () => {
    const rig = await startRig({ before: (api) => api.create(Box, box("a")) });
    const late: string[] = [];
    const leave = rig.informer.subscribe({ added: (o, initial) => late.push(`${o.metadata.name} ${initial}`) });
    await rig.api.create(Box, box("b"));
    await settle();
    leave();
    await rig.api.create(Box, box("c"));
    await settle();
    expect(late).toEqual(["a true", "b false"]);
    await rig.end();
  });

  it("that join while a change is told hear of it once", async () => {
    const rig = await startRig();
    const late: string[] = [];
    rig.informer.subscribe({
      added: () => rig.informer.subscribe({ added: (o) => late.push(`${o.metadata.name}`) }),
    });
    await rig.api.create(Box, box("a"));
    await settle();
    expect(late).toEqual(["a"]);
    await rig.end();
  });

  it("that leave while a change is told hear nothing more", async () => {
    const rig = await startRig();
    const told: string[] = [];
    rig.informer.subscribe({ added: () => leave() });
    const leave = rig.informer.subscribe({ added: (o) => told.push(`${o.metadata.name}`) });
    await rig.api.create(Box, box("a"));
    await settle();
    expect(told).toEqual([]);
    await rig.end();
  });

  it("that throw stop neither the others nor the informer", async () => {
    const rig = await startRig();
    const calls: string[] = [];
    const broken = (what: string) => () => {
      calls.push(what);
      throw new Error(`broken ${what}`);
    };
    rig.informer.subscribe({ added: broken("added"), updated: broken("updated"), deleted: broken("deleted") });
    const after: string[] = [];
    rig.informer.subscribe({ added: () => after.push("added"), deleted: () => after.push("deleted") });
    await rig.api.create(Box, box("a"));
    await rig.api.patch(Box, at("a"), resize(2));
    await rig.api.delete(Box, at("a"));
    await settle();
    expect(calls).toEqual(["added", "updated", "deleted"]);
    expect(after).toEqual(["added", "deleted"]);
    expect(rig.errors.map((e) => (e as Error).message)).toEqual(["broken added", "broken updated", "broken deleted"]);
    rig.expectInStep();
    await rig.end();
  });

  it("see in the cache what they are told", async () => {
    const rig = await startRig();
    const seen: (number | undefined)[] = [];
    const look = () => seen.push(rig.informer.get(at("a"))?.spec?.size);
    rig.informer.subscribe({ added: look, updated: look, deleted: look });
    await rig.api.create(Box, box("a"));
    await rig.api.patch(Box, at("a"), resize(2));
    await rig.api.delete(Box, at("a"));
    await settle();
    expect(seen).toEqual([1, 2, undefined]);
    await rig.end();
  });
});

describe("indexes", () => {
  it("follow every change", async () => {
    const rig = await startRig({ informer: { indexes: bySize } });
    const names = (size: string) => rig.informer.byIndex("size", size).map((o) => o.metadata.name);
    await rig.api.create(Box, box("a", 1));
    await rig.api.create(Box, box("b", 1));
    await settle();
    expect(names("1")).toEqual(["a", "b"]);
    await rig.api.patch(Box, at("a"), resize(2));
    await rig.api.delete(Box, at("b"));
    await settle();
    expect([names("1"), names("2")]).toEqual([[], ["a"]]);
    await rig.end();
  });

  it("can be added later, refuse a second meaning, and are asked for by their names", async () => {
    const rig = await startRig({ before: (api) => api.create(Box, box("a", 5)) });
    rig.informer.addIndexes(bySize);
    rig.informer.addIndexes(bySize);
    expect(rig.informer.byIndex("size", "5")).toHaveLength(1);
    expect(() => rig.informer.addIndexes({ size: () => [] })).toThrow('index "size" exists');
    expect(() => rig.informer.byIndex("colour", "red")).toThrow('no index "colour"; there are: size');
    await rig.end();
  });

  it("that throw find nothing and say so", async () => {
    const broken = (object: Box) => {
      if (object.metadata.name === "bad") throw new Error("cannot index");
      return ["all"];
    };
    const rig = await startRig({ informer: { indexes: { broken } } });
    await rig.api.create(Box, box("bad"));
    await rig.api.create(Box, box("good"));
    await settle();
    expect(rig.informer.byIndex("broken", "all").map((o) => o.metadata.name)).toEqual(["good"]);
    expect(rig.errors).toHaveLength(1);
    rig.expectInStep();
    await rig.end();
  });
});

describe("what is kept", () => {
  const managed = { ...box("a"), metadata: { ...at("a"), managedFields: [{ manager: "kubectl" }] } };

  it("has no managedFields, and names its kind", async () => {
    const rig = await startRig({ before: async (api) => api.seed(Box, managed) });
    const kept = rig.informer.get(at("a"));
    expect(kept?.metadata.managedFields).toBeUndefined();
    expect(kept).toMatchObject({ apiVersion: "test.io/v1", kind: "Box", spec: { size: 1 } });
    await rig.end();
  });

  it("is what the transform makes of it", async () => {
    const transform = (object: Box): Box => ({ ...object, spec: { size: 99 } });
    const rig = await startRig({ informer: { transform }, before: async (api) => api.seed(Box, managed) });
    expect(rig.informer.get(at("a"))).toMatchObject({ spec: { size: 99 }, metadata: { managedFields: [{}] } });
    await rig.end();
  });

  it("is the object itself when the transform throws", async () => {
    const transform = (): Box => {
      throw new Error("cannot transform");
    };
    const rig = await startRig({ informer: { transform }, before: async (api) => api.seed(Box, managed) });
    expect(rig.informer.get(at("a"))).toMatchObject({ spec: { size: 1 } });
    expect(rig.informer.get(at("a"))?.metadata.managedFields).toBeUndefined();
    expect(rig.errors).toMatchObject([{ message: "cannot transform" }]);
    await rig.end();
  });

  it("is metadata alone when asked", async () => {
    const rig = await startRig({ informer: { metadataOnly: true }, before: (api) => api.create(Box, box("a")) });
    expect(rig.informer.get(at("a"))).not.toHaveProperty("spec");
    const live = await rig.informer.observeLive(at("a"), new AbortController().signal);
    expect(live).toMatchObject({ known: true, present: true, value: { kind: "Box" } });
    expect(live).not.toHaveProperty("value.spec");
    await rig.end();
  });

  it("is what the selection names", async () => {
    const rig = await startRig({ informer: { labelSelector: "keep=yes" } });
    await rig.api.create(Box, box("a", 1, { keep: "yes" }));
    await rig.api.create(Box, box("b"));
    await rig.api.patch(Box, at("a"), { type: "merge", body: { metadata: { labels: { keep: "no" } } } });
    await settle();
    expect(rig.told).toEqual(["added a 1", "deleted a 1"]);
    await rig.end();
  });
});

describe("observing", () => {
  it("knows from the cache what is there, with the age of the last word from the server", async () => {
    const rig = await startRig({ before: (api) => api.create(Box, box("a")) });
    await rig.clock.advance(seconds(40));
    expect(rig.informer.observe(at("a"))).toMatchObject({ present: true, source: "cache" });
    expect(rig.informer.observe(at("a"))).toHaveProperty("at", new Date("2026-01-01T00:00:00Z"));
    rig.api.bookmark();
    await settle();
    expect(rig.informer.observe(at("a"))).toHaveProperty("at", new Date("2026-01-01T00:00:40Z"));
    await rig.end();
  });

  it("never takes a miss in the cache for absence; a live read may", async () => {
    const rig = await startRig();
    const { signal } = new AbortController();
    expect(rig.informer.observe(at("a"))).toMatchObject({ known: false, reason: expect.stringContaining("ns/a") });
    expect(await rig.informer.observeLive(at("a"), signal)).toMatchObject({ known: true, present: false });
    rig.api.failNext("get");
    expect(await rig.informer.observeLive(at("a"), signal)).toEqual({
      known: false,
      reason: "Box ns/a could not be read: get: connection reset",
    });
    await rig.end();
  });
});

describe("waiting for sync", () => {
  const settings = () => ({ client: new MemoryApi(), clock: new VirtualClock(), random: { next: () => 0 } });

  it("ends when the informer is stopped before, or when the waiter gives up", async () => {
    const { client, ...rest } = settings();
    client.failNext("watch", undefined, 1000);
    const informer = createInformer({ client, ...rest, onError: () => {} }, Box);
    const stop = new AbortController();
    const run = informer.run(stop.signal);
    const patience = new AbortController();
    const waiting = expect(informer.synced(patience.signal)).rejects.toThrow("enough");
    patience.abort(new Error("enough"));
    await waiting;
    await rest.clock.advance(minutes(10));
    expect(informer.hasSynced).toBe(false);
    expect(informer.lastError).toMatchObject({ message: "watch: connection reset" });
    stop.abort();
    await run;
    await expect(informer.synced()).rejects.toThrow("stopped before it had synced");
  });

  it("refuses to run twice", async () => {
    const rig = await startRig();
    await expect(rig.informer.run(new AbortController().signal)).rejects.toThrow("runs already");
    await rig.end();
  });
});
