import { describe, expect, it } from "vitest";
import type { WatchEvent, WatchOptions } from "../client/client.ts";
import { isAlreadyExists, isConflict, isExpired, isInvalid, isNotFound, OutcomeUnknown } from "../client/errors.ts";
import { at, Box, box } from "./box.ts";
import { MemoryApi } from "./memory-api.ts";

async function read(api: MemoryApi, count: number, options: Partial<WatchOptions> = {}): Promise<string[]> {
  const seen: string[] = [];
  const say = (event: WatchEvent<Box>) =>
    event.type === "BOOKMARK" ? `BOOKMARK ${event.initialEventsEnd}` : `${event.type} ${event.object.metadata.name}`;
  for await (const event of api.watch(Box, { signal: new AbortController().signal, ...options })) {
    seen.push(say(event));
    if (seen.length === count) break;
  }
  return seen;
}

describe("writes", () => {
  it("stamps a created object, drops its status and refuses a second one", async () => {
    const api = new MemoryApi();
    const made = await api.create(Box, { ...box("a"), status: { phase: "Made up" } });
    expect(made).toMatchObject({ apiVersion: "test.io/v1", kind: "Box", metadata: { generation: 1 } });
    expect(made.metadata.uid).toBeTruthy();
    expect(made.status).toBeUndefined();
    await expect(api.create(Box, box("a"))).rejects.toSatisfy(isAlreadyExists);
  });

  it("refuses a stale update and leaves the object alone", async () => {
    const api = new MemoryApi();
    const first = await api.create(Box, box("a"));
    await api.update(Box, { ...first, spec: { size: 2 } });
    await expect(api.update(Box, { ...first, spec: { size: 3 } })).rejects.toSatisfy(isConflict);
    expect(api.snapshot(Box)["ns/a"]).toMatchObject({ spec: { size: 2 }, metadata: { generation: 2 } });
  });

  it("keeps status and the rest apart", async () => {
    const api = new MemoryApi();
    const made = await api.create(Box, box("a"));
    const changed = { ...made, spec: { size: 9 }, status: { phase: "Ready" } };
    const afterStatus = await api.update(Box, changed, { subresource: "status" });
    expect(afterStatus).toMatchObject({ spec: { size: 1 }, status: { phase: "Ready" }, metadata: { generation: 1 } });
    const merge = { type: "merge", body: { spec: { size: 4 }, status: null } } as const;
    expect(await api.patch(Box, at("a"), merge)).toMatchObject({ spec: { size: 4 }, status: { phase: "Ready" } });
  });

  it("changes nothing when nothing changed", async () => {
    const api = new MemoryApi();
    const made = await api.create(Box, box("a"));
    expect((await api.update(Box, made)).metadata.resourceVersion).toBe(made.metadata.resourceVersion);
  });

  it("patches by JSON patch, refusing a failed test", async () => {
    const api = new MemoryApi();
    await api.create(Box, { ...box("a"), spec: { size: 1, tags: ["x"] } });
    const operations = [
      { op: "test", path: "/spec/size", value: 1 },
      { op: "add", path: "/spec/tags/-", value: "y" },
      { op: "remove", path: "/spec/tags/0" },
      { op: "replace", path: "/spec/size", value: 2 },
    ] as const;
    const patched = await api.patch(Box, at("a"), { type: "json", operations });
    expect(patched.spec).toEqual({ size: 2, tags: ["y"] });
    await expect(api.patch(Box, at("a"), { type: "json", operations })).rejects.toSatisfy(isInvalid);
  });

  it("sends only a difference, pinned to the state it came from", async () => {
    const api = new MemoryApi();
    const made = await api.create(Box, box("a"));
    const grown = { ...made, spec: { size: 2 } };
    expect((await api.patchDifference(Box, made, grown)).spec).toEqual({ size: 2 });
    await expect(api.patchDifference(Box, made, grown)).rejects.toSatisfy(isConflict);
    const requests = api.requests.length;
    await api.patchDifference(Box, grown, structuredClone(grown));
    expect(api.requests).toHaveLength(requests);
  });

  it("applies: creates, then merges", async () => {
    const api = new MemoryApi();
    await api.apply(Box, box("a"), { fieldManager: "test" });
    const applied = await api.apply(Box, { metadata: at("a"), spec: { tags: ["t"] } }, { fieldManager: "test" });
    expect(applied.spec).toEqual({ size: 1, tags: ["t"] });
  });

  it("does a dry run without doing it", async () => {
    const api = new MemoryApi();
    await api.create(Box, box("a"), { dryRun: true });
    expect(await api.find(Box, at("a"))).toBeUndefined();
  });

  it("performs the write whose answer it loses", async () => {
    const api = new MemoryApi();
    api.loseNextAnswer();
    await expect(api.create(Box, box("a"))).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(Object.keys(api.snapshot(Box))).toEqual(["ns/a"]);
  });
});

describe("deletion", () => {
  it("waits for finalizers", async () => {
    const api = new MemoryApi();
    const made = await api.create(Box, { metadata: { ...at("a"), finalizers: ["test.io/hold"] } });
    await api.delete(Box, at("a"));
    const going = await api.get(Box, at("a"));
    expect(going.metadata.deletionTimestamp).toBe("2026-01-01T00:00:00Z");
    await api.update(Box, { ...going, metadata: { ...going.metadata, finalizers: [] } });
    await expect(api.get(Box, at("a"))).rejects.toSatisfy(isNotFound);
    expect((await api.create(Box, box("a"))).metadata.uid).not.toBe(made.metadata.uid);
  });

  it("holds to its preconditions", async () => {
    const api = new MemoryApi();
    await api.create(Box, box("a"));
    await expect(api.delete(Box, at("a"), { preconditions: { uid: "other" } })).rejects.toSatisfy(isConflict);
    expect(Object.keys(api.snapshot(Box))).toEqual(["ns/a"]);
  });
});

describe("reading", () => {
  it("pages a list and selects by labels, fields and namespace", async () => {
    const api = new MemoryApi();
    for (const name of ["a", "b", "c"]) await api.create(Box, box(name, 1, { team: name === "b" ? "x" : "y" }));
    const names = async (options: object) => (await api.list(Box, options)).items.map((o) => o.metadata.name);
    expect(await names({ labelSelector: "team=y" })).toEqual(["a", "c"]);
    expect(await names({ labelSelector: "team!=y" })).toEqual(["b"]);
    expect(await names({ fieldSelector: "metadata.name=c" })).toEqual(["c"]);
    expect(await names({ namespace: "other" })).toEqual([]);
    const pages: number[] = [];
    for await (const page of api.pages(Box, { pageSize: 2 })) pages.push(page.items.length);
    expect(pages).toEqual([2, 1]);
  });

  it("gives metadata alone when asked", async () => {
    const api = new MemoryApi();
    await api.create(Box, box("a"));
    expect((await api.list(Box, { metadataOnly: true })).items[0]).not.toHaveProperty("spec");
  });
});

describe("watching", () => {
  it("resumes from a resourceVersion, and refuses one that was compacted away", async () => {
    const api = new MemoryApi();
    const first = await api.create(Box, box("a"));
    await api.create(Box, box("b"));
    await api.delete(Box, at("a"));
    const resourceVersion = first.metadata.resourceVersion ?? "";
    expect(await read(api, 2, { resourceVersion })).toEqual(["ADDED b", "DELETED a"]);
    api.compact();
    await expect(read(api, 1, { resourceVersion })).rejects.toSatisfy(isExpired);
  });

  it("sends the initial state and a bookmark after it, or refuses to", async () => {
    const api = new MemoryApi();
    await api.create(Box, box("a"));
    expect(await read(api, 2, { sendInitialEvents: true })).toEqual(["ADDED a", "BOOKMARK true"]);
    const old = new MemoryApi({ watchList: false });
    await expect(read(old, 1, { sendInitialEvents: true })).rejects.toSatisfy(isInvalid);
  });

  it("turns entering and leaving a selector into ADDED and DELETED", async () => {
    const api = new MemoryApi();
    const made = await api.create(Box, box("a"));
    const resourceVersion = made.metadata.resourceVersion ?? "";
    const merge = (on: string | null) => ({ type: "merge", body: { metadata: { labels: { on } } } }) as const;
    await api.patch(Box, at("a"), merge("yes"));
    await api.patch(Box, at("a"), merge(null));
    expect(await read(api, 2, { resourceVersion, labelSelector: "on=yes" })).toEqual(["ADDED a", "DELETED a"]);
  });

  it("fails on command, and forgets a watch that was left", async () => {
    const api = new MemoryApi();
    await api.create(Box, box("a"));
    api.failNext("watch");
    await expect(read(api, 1)).rejects.toThrow("connection reset");
    expect(await read(api, 1)).toEqual(["ADDED a"]);
    expect(api.openWatches).toBe(0);
  });
});
