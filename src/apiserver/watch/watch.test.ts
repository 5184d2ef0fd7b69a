import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { minutes, seconds, settle, VirtualClock } from "#clock";
import type { TransportResponse } from "#kube";
import { startTestApi, type TestApi } from "../testing/test-api.ts";

let api: TestApi;
let clock: VirtualClock;
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const MERGE = { type: "application/merge-patch+json" };

// biome-ignore lint/suspicious/noExplicitAny: events of every kind
type Events = any[];
const told = (events: Events): string[] => events.map((e) => `${e.type} ${e.object.metadata.name ?? ""}`.trim());

beforeEach(async () => {
  clock = new VirtualClock();
  api = await startTestApi({ clock });
});
afterEach(() => api.close());

const create = (name: string, labels: object = {}) => api.send("POST", CONFIG_MAPS, { metadata: { name, labels } });
const revision = async (): Promise<string> =>
  (await api.send("GET", `${CONFIG_MAPS}?limit=1`)).body.metadata.resourceVersion;

describe("watch", () => {
  it("tells everything since a revision, in order, exactly once", async () => {
    const from = await revision();
    await create("a");
    const watching = api.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${from}`, 4);
    await settle();
    await create("b");
    await api.send("PATCH", `${CONFIG_MAPS}/a`, { data: { x: "1" } }, MERGE);
    await api.send("DELETE", `${CONFIG_MAPS}/a`);
    const events = await watching;
    expect(told(events)).toEqual(["ADDED a", "ADDED b", "MODIFIED a", "DELETED a"]);
    const versions = events.map((e) => Number(e.object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((x, y) => x - y));
    expect(events[0].object).toMatchObject({ kind: "ConfigMap", apiVersion: "v1" });
  });

  it("begins with what exists, and marks the end of it when asked", async () => {
    await create("a");
    expect(told(await api.watch(`${CONFIG_MAPS}?watch=1`, 1))).toEqual(["ADDED a"]);
    const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const [added, end] = await api.watch(`${CONFIG_MAPS}?${query}`, 2);
    expect(added.type).toBe("ADDED");
    expect(end).toEqual({
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { resourceVersion: await revision(), annotations: { "k8s.io/initial-events-end": "true" } },
      },
    });
  });

  it("sees objects enter and leave a selection", async () => {
    const from = await revision();
    await create("a", { on: "no" });
    await api.send("PATCH", `${CONFIG_MAPS}/a`, { metadata: { labels: { on: "yes" } } }, MERGE);
    await api.send("PATCH", `${CONFIG_MAPS}/a`, { data: { x: "1" } }, MERGE);
    await api.send("PATCH", `${CONFIG_MAPS}/a`, { metadata: { labels: { on: "no" } } }, MERGE);
    const events = await api.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${from}&labelSelector=on%3Dyes`, 3);
    expect(told(events)).toEqual(["ADDED a", "MODIFIED a", "DELETED a"]);
    expect(events[2].object).toMatchObject({ metadata: { labels: { on: "yes" }, resourceVersion: await revision() } });
  });

  it("says 410 when the revision is gone", async () => {
    const from = await revision();
    await create("a");
    // History is bounded by size: a few large versions push the first one out.
    for (let n = 0; n < 40; n++)
      await api.send("PATCH", `${CONFIG_MAPS}/a`, { data: { x: `${n}`.padEnd(900_000, "x") } }, MERGE);
    const [event] = await api.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${from}`, 1);
    expect(event).toMatchObject({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } });
    expect(event.object.message).toMatch(/^too old resource version: \d+ \(\d+\)$/);
  });

  it("shows tables, with their head only once", async () => {
    await create("a");
    await create("b");
    const events = await api.watch(`${CONFIG_MAPS}?watch=1`, 2, "application/json;as=Table;v=v1;g=meta.k8s.io");
    expect(events.map((e) => e.object.rows[0].cells[0])).toEqual(["a", "b"]);
    expect(events[0].object.columnDefinitions).toHaveLength(3);
    expect(events[1].object.columnDefinitions).toBeNull();
  });

  it("ends after its timeout and sends bookmarks until then, leaving no timer behind", async () => {
    const before = clock.pendingTimers;
    const response = await open(`${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=150`);
    const reading = readAll(response);
    await settle();
    await clock.advance(minutes(2) + seconds(31));
    const lines = (await reading).split("\n").filter(Boolean);
    expect(lines.map((l) => JSON.parse(l).type)).toEqual(["BOOKMARK", "BOOKMARK"]);
    expect(clock.pendingTimers).toBe(before);
  });

  it("drops a watcher that does not read, and nobody else", async () => {
    const slow = await open(`${CONFIG_MAPS}?watch=1`);
    const chunks = slow.chunks()[Symbol.asyncIterator]();
    const first = chunks.next();
    await create("big");
    await first;
    const reader = api.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${await revision()}`, 30);
    await settle();
    for (let n = 0; n < 30; n++) {
      await api.send("PATCH", `${CONFIG_MAPS}/big`, { data: { x: `${n}`.padEnd(900_000, "x") } }, MERGE);
    }
    expect(await reader).toHaveLength(30);
    let left = 0;
    while (!(await chunks.next()).done) left++;
    expect(left).toBeGreaterThan(10);
    expect(left).toBeLessThan(30);
  });

  function open(path: string): Promise<TransportResponse> {
    return api.server
      .transport()
      .request({ method: "GET", path, signal: AbortSignal.timeout(10_000), streaming: true });
  }

  async function readAll(response: TransportResponse): Promise<string> {
    let text = "";
    for await (const chunk of response.chunks()) text += Buffer.from(chunk).toString("utf8");
    return text;
  }
});
