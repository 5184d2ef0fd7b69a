import { describe, expect, it } from "vitest";
import { seededRandom, settle, VirtualClock } from "#clock";
import { Box, box } from "../testing/box.ts";
import { MemoryApi } from "../testing/memory-api.ts";
import { createInformers } from "./informers.ts";

function setUp() {
  const clock = new VirtualClock();
  const api = new MemoryApi({ clock });
  const informers = createInformers({ client: api, clock, random: seededRandom(1), onError: () => {} });
  return { clock, api, informers };
}

describe("sharing", () => {
  it.each([
    ["the same kind", {}, {}, true],
    ["the same selection", { labelSelector: "a=b" }, { labelSelector: "a=b" }, true],
    ["different indexes", { indexes: { one: () => [] } }, { indexes: { two: () => [] } }, true],
    ["another selector", { labelSelector: "a=b" }, {}, false],
    ["another namespace", { namespace: "x" }, { namespace: "y" }, false],
    ["metadata alone", { metadataOnly: true }, {}, false],
    ["another transform", { transform: (o: Box) => o }, { transform: (o: Box) => o }, false],
  ])("%s: %j and %j", (_, one, other, shared) => {
    const { informers } = setUp();
    expect(informers.informer(Box, one) === informers.informer(Box, other)).toBe(shared);
    expect(informers.all()).toHaveLength(shared ? 1 : 2);
  });

  it("makes one watch and every index of it", async () => {
    const { api, informers } = setUp();
    await api.create(Box, box("a", 3));
    informers.informer(Box, { indexes: { size: (o) => [`${o.spec?.size}`] } });
    const second = informers.informer(Box, { indexes: { name: (o) => [`${o.metadata.name}`] } });
    const stop = new AbortController();
    const run = informers.run(stop.signal);
    await informers.synced();
    expect(api.openWatches).toBe(1);
    expect([second.byIndex("size", "3"), second.byIndex("name", "a")]).toMatchObject([[{}], [{}]]);
    stop.abort();
    await run;
  });
});

describe("running", () => {
  it("starts those that come later, and ends when all have ended", async () => {
    const { clock, api, informers } = setUp();
    const stop = new AbortController();
    let ended = false;
    const run = informers.run(stop.signal).then(() => {
      ended = true;
    });
    informers.informer(Box);
    informers.informer(Box, { metadataOnly: true });
    await informers.synced(stop.signal);
    expect(api.openWatches).toBe(2);
    stop.abort();
    expect(ended).toBe(false);
    await run;
    await settle();
    expect([api.openWatches, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("happens once", async () => {
    const { informers } = setUp();
    const run = informers.run(AbortSignal.abort());
    await expect(informers.run(AbortSignal.abort())).rejects.toThrow("run already");
    await run;
  });
});
