/** What the network and the server do to an informer, one named fault after the other. */
import { describe, expect, it } from "vitest";
import { minutes, seconds, settle } from "#clock";
import { ApiError, isExpired } from "../client/errors.ts";
import { at, Box, box, resize } from "../testing/box.ts";
import type { MemoryApi } from "../testing/memory-api.ts";
import { startRig } from "./informer-rig.ts";

const expired = () => new ApiError("watch boxes", 410, { reason: "Expired", message: "too old resource version" });
const makeTwo = (api: MemoryApi) => Promise.all([api.create(Box, box("a")), api.create(Box, box("b"))]);
const count = (api: MemoryApi, verb: string) => api.requests.filter((request) => request.startsWith(verb)).length;

describe("a stream that goes silent", () => {
  it("is abandoned after its window and resumed where it was, without a new list", async () => {
    const rig = await startRig({ api: { watchList: false }, before: makeTwo });
    rig.api.stallWatches();
    await rig.api.patch(Box, at("a"), resize(2));
    await rig.clock.advance(seconds(179));
    expect(rig.informer.get(at("a"))?.spec?.size).toBe(1);
    await rig.clock.advance(seconds(2));
    expect(rig.informer.get(at("a"))?.spec?.size).toBe(2);
    expect(count(rig.api, "list")).toBe(1);
    rig.expectInStep();
    await rig.end();
  });

  it("is left alone while bookmarks arrive", async () => {
    const rig = await startRig({ before: makeTwo });
    const watches = count(rig.api, "watch");
    for (let minute = 0; minute < 30; minute++) {
      rig.api.bookmark();
      await rig.clock.advance(minutes(1));
    }
    expect(count(rig.api, "watch")).toBe(watches);
    expect(rig.clock.pendingTimers).toBe(1);
    await rig.end();
  });

  it("has the window it was given, and says why it was abandoned", async () => {
    const rig = await startRig({ settings: { silenceMs: seconds(10) } });
    rig.api.stallWatches();
    rig.api.failNext("watch");
    await rig.clock.advance(seconds(10));
    expect(rig.informer.lastError).toMatchObject({ message: expect.stringContaining("nothing arrived for 10 s") });
    await rig.end();
  });

  it("before the initial state is complete makes it list instead", async () => {
    const rig = await startRig({
      before: async (api) => {
        await makeTwo(api);
        api.stallNextWatch();
      },
    });
    await rig.clock.advance(seconds(29));
    expect(rig.informer.hasSynced).toBe(false);
    await rig.clock.advance(seconds(1));
    expect(rig.informer.hasSynced).toBe(true);
    expect(count(rig.api, "list")).toBe(1);
    rig.expectInStep();
    await rig.end();
  });
});

describe("410 in the middle", () => {
  it.each(["as an ERROR event", "as the answer to a resumed watch"])("%s: lists again", async (how) => {
    const rig = await startRig({ api: { watchList: false }, before: makeTwo });
    rig.api.cutWatches(how === "as an ERROR event" ? expired() : undefined);
    await rig.api.patch(Box, at("a"), resize(2));
    await rig.api.delete(Box, at("b"));
    await rig.api.create(Box, box("c"));
    rig.api.compact();
    await rig.clock.advance(seconds(1));
    expect(rig.told.slice(2)).toEqual(["deleted b 1", "updated a 2", "added c 1"]);
    expect(count(rig.api, "list")).toBe(2);
    rig.expectInStep();
    await rig.end();
  });

  it("again and again is not asked in a tight loop", async () => {
    const rig = await startRig({ before: makeTwo });
    for (let i = 0; i < 40; i++) rig.api.failNext("watch", expired());
    const before = rig.api.requests.length;
    rig.api.cutWatches();
    await rig.clock.advance(seconds(60));
    expect(rig.api.requests.length - before).toBeLessThan(15);
    expect(rig.informer.lastError).toSatisfy(isExpired);
    await rig.clock.advance(minutes(20));
    expect(rig.informer.lastError).toBeUndefined();
    rig.expectInStep();
    await rig.end();
  });
});

describe("a watch that is cut", () => {
  it("is resumed from the last event, telling nothing twice and missing nothing", async () => {
    const rig = await startRig({ api: { watchList: false }, before: makeTwo });
    await rig.api.patch(Box, at("a"), resize(2));
    await settle();
    rig.api.cutWatches();
    await rig.api.patch(Box, at("a"), resize(3));
    await rig.api.patch(Box, at("a"), resize(4));
    await settle();
    expect(rig.informer.lastError).toMatchObject({ name: "ConnectionLost" });
    await rig.clock.advance(seconds(1));
    expect(rig.informer.lastError).toBeUndefined();
    expect(rig.told.slice(2)).toEqual(["updated a 2", "updated a 3", "updated a 4"]);
    expect(count(rig.api, "list")).toBe(1);
    await rig.end();
  });

  it("with events not yet read is resumed from the last one read", async () => {
    const rig = await startRig({ before: makeTwo });
    for (let size = 2; size < 6; size++) await rig.api.patch(Box, at("a"), resize(size));
    rig.api.cutWatches();
    await rig.clock.advance(seconds(1));
    expect(rig.told.slice(2)).toEqual([2, 3, 4, 5].map((size) => `updated a ${size}`));
    await rig.end();
  });

  it("is resumed from a bookmark when that is the last word", async () => {
    const rig = await startRig({ api: { watchList: false }, before: makeTwo });
    await rig.api.create({ ...Box, plural: "crates", kind: "Crate" }, box("other"));
    rig.api.bookmark();
    rig.api.bookmark();
    await settle();
    rig.api.compact();
    rig.api.cutWatches();
    await rig.clock.advance(seconds(1));
    expect(count(rig.api, "list")).toBe(1);
    await rig.end();
  });

  it("by the server at its time is resumed at once, for ever", async () => {
    const rig = await startRig({ before: makeTwo });
    for (let i = 0; i < 5; i++) {
      await rig.clock.advance(seconds(100));
      rig.api.endWatches();
      await settle();
      expect(rig.api.openWatches).toBe(1);
    }
    await rig.end();
  });

  it("by the server at once, each time, is resumed ever more slowly", async () => {
    const rig = await startRig({ before: makeTwo });
    const before = count(rig.api, "watch");
    for (let tenth = 0; tenth < 600; tenth++) {
      rig.api.endWatches();
      await rig.clock.advance(100);
    }
    expect(count(rig.api, "watch") - before).toBeLessThan(15);
    await rig.end();
  });
});

describe("an error", () => {
  it.each(["list", "watch"] as const)(
    "to every %s is retried for ever, ever more slowly, and overcome",
    async (verb) => {
      const rig = await startRig({
        api: { watchList: false },
        before: async (api) => {
          await makeTwo(api);
          api.failNext(verb, new ApiError(verb, 500, { message: "etcd is away" }), 200);
        },
      });
      await rig.clock.advance(minutes(10));
      expect(rig.informer.lastError).toMatchObject({ message: `${verb}: etcd is away` });
      const asked = count(rig.api, verb);
      expect(asked).toBeGreaterThan(20);
      expect(asked).toBeLessThan(60);
      await rig.clock.advance(minutes(120));
      rig.api.bookmark();
      await settle();
      expect(rig.informer.lastError).toBeUndefined();
      rig.expectInStep();
      await rig.end();
    },
  );

  it("that says when to come back is obeyed", async () => {
    const busy = new ApiError("watch", 429, { reason: "TooManyRequests", message: "busy" }, seconds(20));
    const rig = await startRig({ before: async (api) => api.failNext("watch", busy) });
    await rig.clock.advance(seconds(19));
    expect(rig.informer.hasSynced).toBe(false);
    await rig.clock.advance(seconds(1));
    expect(rig.informer.hasSynced).toBe(true);
    await rig.end();
  });

  it("after a healthy hour waits no longer than the first", async () => {
    const rig = await startRig({ before: async (api) => api.failNext("watch", undefined, 6) });
    for (let minute = 0; minute < 60; minute++) {
      await rig.clock.advance(minutes(1));
      rig.api.bookmark();
    }
    rig.api.cutWatches();
    await rig.clock.advance(200);
    expect(rig.api.openWatches).toBe(1);
    await rig.end();
  });
});

describe("while disconnected", () => {
  it("objects that vanished are told as deleted, with the last state known", async () => {
    const rig = await startRig({ before: makeTwo });
    rig.api.cutWatches();
    await rig.api.patch(Box, at("b"), resize(7));
    await rig.api.delete(Box, at("b"));
    rig.api.compact();
    await rig.clock.advance(seconds(1));
    expect(rig.told.slice(2)).toEqual(["deleted b 1"]);
    rig.expectInStep();
    await rig.end();
  });

  it("an object deleted and made again under its name is told as deleted and added", async () => {
    const rig = await startRig({ before: makeTwo });
    const old = rig.informer.get(at("a"))?.metadata.uid;
    rig.api.cutWatches();
    await rig.api.delete(Box, at("a"));
    await rig.api.create(Box, box("a", 5));
    rig.api.compact();
    await rig.clock.advance(seconds(1));
    expect(rig.told.slice(2)).toEqual(["deleted a 1", "added a 5"]);
    expect(rig.informer.get(at("a"))?.metadata.uid).not.toBe(old);
    rig.expectInStep();
    await rig.end();
  });
});

describe("WatchList", () => {
  it("refused once is not asked for again", async () => {
    const rig = await startRig({ api: { watchList: false }, before: makeTwo });
    expect(rig.api.requests.slice(2)).toEqual(["watch boxes.test.io", "list boxes.test.io", "watch boxes.test.io"]);
    rig.api.compact();
    rig.api.cutWatches(expired());
    await rig.clock.advance(seconds(1));
    expect(rig.api.requests.slice(5)).toEqual(["list boxes.test.io", "watch boxes.test.io"]);
    await rig.end();
  });

  it("that a server ignores is noticed at its first bookmark", async () => {
    const rig = await startRig({ api: { watchList: "ignored" }, before: makeTwo });
    expect(rig.informer.hasSynced).toBe(false);
    rig.api.bookmark();
    await settle();
    expect(rig.informer.hasSynced).toBe(true);
    expect(count(rig.api, "list")).toBe(1);
    rig.expectInStep();
    await rig.end();
  });

  it("that ends before its initial state is complete is not asked for again", async () => {
    const rig = await startRig({ api: { watchList: "ignored" }, before: makeTwo });
    rig.api.endWatches();
    await settle();
    expect(rig.informer.hasSynced).toBe(true);
    await rig.end();
  });

  it("that is offered needs no list", async () => {
    const rig = await startRig({ before: makeTwo });
    expect(count(rig.api, "list")).toBe(0);
    await rig.end();
  });
});

it("a server that went back in time (a restored backup) is listed anew", async () => {
  const rig = await startRig({ api: { watchList: false }, before: makeTwo });
  const restored = { type: "BOOKMARK", resourceVersion: "1", initialEventsEnd: false } as const;
  rig.api.pushToWatches(restored);
  await rig.clock.advance(seconds(1));
  expect(count(rig.api, "list")).toBe(2);
  rig.expectInStep();
  await rig.end();
});
