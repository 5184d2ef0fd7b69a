import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settle } from "#clock";
import type { KubeObject } from "#kinds";
import { type Journal, type JournalBatch, memoryJournal } from "./journal.ts";
import { openLmdbJournal } from "./lmdb-journal.ts";
import { StorageFailed, Store, WriteConflict } from "./store.ts";

const object = (name: string, data: object = {}): KubeObject =>
  ({ apiVersion: "v1", kind: "Thing", metadata: { name }, data }) as KubeObject;
const key = (name: string): string => `test/things/${name}`;
const names = (entries: Iterable<{ object: KubeObject }> | undefined): (string | undefined)[] =>
  [...(entries ?? [])].map((e) => e.object.metadata.name);

/** A journal whose flushes a test holds back or fails. */
function heldJournal(): Journal & { release(): void; fail(error: Error): void; batches: JournalBatch[] } {
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const batches: JournalBatch[] = [];
  return {
    ...memoryJournal(),
    batches,
    append: (batch) =>
      new Promise((resolve, reject) => {
        batches.push(batch);
        waiting.push({ resolve, reject });
      }),
    release: () => waiting.shift()?.resolve(),
    fail: (error) => waiting.shift()?.reject(error),
  };
}

/** Carries out steps and remembers which names there were at every revision. */
async function play(store: Store, steps: readonly { name: string; remove: boolean }[]): Promise<Map<number, string[]>> {
  const present = new Set<string>();
  const past = new Map<number, string[]>([[1, []]]);
  for (const { name, remove } of steps) {
    const head = store.head(key(name));
    if (remove && head) {
      await store.delete(key(name), head);
      present.delete(name);
    } else if (!remove) {
      await store.put(key(name), head, object(name));
      present.add(name);
    }
    past.set(store.revision, [...present].sort());
  }
  return past;
}

describe("Store", () => {
  it("counts revisions and compares before it swaps", async () => {
    const store = new Store(memoryJournal());
    const a = await store.put(key("a"), undefined, object("a"));
    const b = await store.put(key("a"), a, object("a", { n: 1 }));
    expect(b.revision).toBe(a.revision + 1);
    expect(b.object.metadata.resourceVersion).toBe(String(b.revision));
    await expect(store.put(key("a"), a, object("a"))).rejects.toBeInstanceOf(WriteConflict);
    await expect(store.put(key("a"), undefined, object("a"))).rejects.toBeInstanceOf(WriteConflict);
    await expect(store.delete(key("a"), a)).rejects.toBeInstanceOf(WriteConflict);
  });

  it("lets one of many simultaneous writers win", async () => {
    const store = new Store(memoryJournal());
    const results = await Promise.allSettled([1, 2, 3].map((n) => store.put(key("a"), undefined, object("a", { n }))));
    expect(results.map((r) => r.status)).toEqual(["fulfilled", "rejected", "rejected"]);
  });

  it("shows a write to nobody before it is durable, and refuses only after that", async () => {
    const journal = heldJournal();
    const store = new Store(journal);
    const seen: string[] = [];
    store.subscribe("test/things", ({ type }) => seen.push(type));
    let refused = false;
    const first = store.put(key("a"), undefined, object("a"));
    const second = store.put(key("a"), undefined, object("a")).catch(() => {
      refused = true;
    });
    await settle();
    expect([store.get(key("a")), store.revision, seen, refused]).toEqual([undefined, 1, [], false]);
    expect(store.since(1)).toEqual([]);
    journal.release();
    await first;
    await second;
    expect([names([store.get(key("a")) ?? { object: object("") }]), store.revision, seen, refused]).toEqual([
      ["a"],
      2,
      ["ADDED"],
      true,
    ]);
  });

  it("writes what arrives during a flush in one batch after it", async () => {
    const journal = heldJournal();
    const store = new Store(journal);
    const writes = [store.put(key("a"), undefined, object("a"))];
    await settle();
    for (const name of ["b", "c", "d"]) writes.push(store.put(key(name), undefined, object(name)));
    journal.release();
    await settle();
    journal.release();
    await Promise.all(writes);
    expect(journal.batches.map((b) => b.records.length)).toEqual([1, 3]);
  });

  it("acknowledges nothing after a failed flush", async () => {
    const journal = heldJournal();
    const store = new Store(journal);
    const write = store.put(key("a"), undefined, object("a"));
    await settle();
    journal.fail(new Error("no space left on device"));
    await expect(write).rejects.toBeInstanceOf(StorageFailed);
    await expect(store.put(key("b"), undefined, object("b"))).rejects.toThrow(/no write is accepted.*no space left/);
    expect(store.get(key("a"))).toBeUndefined();
    expect(store.failure).toBeInstanceOf(StorageFailed);
  });

  it("looks back as far as its history goes", async () => {
    const store = new Store(memoryJournal(), { changes: 4, bytes: 1e6 });
    for (const name of ["a", "b", "c", "d", "e", "f"]) await store.put(key(name), undefined, object(name));
    expect(store.compacted).toBe(3);
    expect(store.since(2)).toBeUndefined();
    expect(names(store.since(5)?.map((c) => c.entry))).toEqual(["e", "f"]);
    expect(names(store.rangeAt("test/things", "test/things/", 5))).toEqual(["a", "b", "c", "d"]);
    expect(store.rangeAt("test/things", "test/things/", 2)).toBeUndefined();
  });

  it("agrees with a plain map, now and at every past revision", async () => {
    const step = fc.record({ name: fc.constantFrom("a", "b", "c", "d"), remove: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const store = new Store(memoryJournal());
        const past = await play(store, steps);
        for (const [revision, expected] of past) {
          expect(names(store.rangeAt("test/things", "test/things/", revision))).toEqual(expected);
        }
      }),
    );
  });
});

describe("LMDB journal", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "metalwright-store-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const open = (limits = { changes: 100, bytes: 1e6 }) => new Store(openLmdbJournal(directory), limits);

  it("brings back objects, revisions and history", async () => {
    const before = open();
    const a = await before.put(key("a"), undefined, object("a"));
    await before.put(key("b"), undefined, object("b"));
    await before.delete(key("a"), a);
    await before.close();
    const after = open();
    expect([after.revision, names(after.range("test/things", "test/things/"))]).toEqual([4, ["b"]]);
    expect(after.since(1)?.map((c) => [c.type, c.entry.object.metadata.resourceVersion])).toEqual([
      ["ADDED", "2"],
      ["ADDED", "3"],
      ["DELETED", "4"],
    ]);
    expect((await after.put(key("c"), undefined, object("c"))).revision).toBe(5);
    await after.close();
  });

  it("keeps the newest version of everything when history is dropped", async () => {
    const before = open({ changes: 3, bytes: 1e6 });
    const keep = await before.put(key("keep"), undefined, object("keep"));
    let last = await before.put(key("busy"), undefined, object("busy"));
    const gone = await before.put(key("gone"), undefined, object("gone"));
    await before.delete(key("gone"), gone);
    for (let n = 0; n < 20; n++) last = await before.put(key("busy"), last, object("busy", { n }));
    await before.close();
    const journal = openLmdbJournal(directory);
    const { records, compacted } = journal.load();
    // 20 updates and as many others left only: keep, the versions around the window, nothing of the deleted.
    expect([...records].length).toBeLessThanOrEqual(6);
    expect(compacted).toBeGreaterThan(keep.revision);
    await journal.close();
    const after = open({ changes: 3, bytes: 1e6 });
    expect(names(after.range("test/things", "test/things/"))).toEqual(["busy", "keep"]);
    expect(after.get(key("busy"))?.revision).toBe(last.revision);
    expect(after.since(keep.revision)).toBeUndefined();
    await after.close();
  });

  it("refuses a second process, but not one after a crash", async () => {
    const store = open();
    expect(() => open()).toThrow(/is in use by process/);
    await store.close();
    writeFileSync(join(directory, ".lock"), "999999999 1");
    await open().close();
  });

  it.each([0, 100, 5000, 200_000])("refuses a file cut to %i bytes in one sentence, without dying", async (bytes) => {
    const store = open();
    for (let n = 0; n < 300; n++) await store.put(key(`k${n}`), undefined, object(`k${n}`, { text: "x".repeat(1000) }));
    await store.close();
    truncateSync(join(directory, "data.mdb"), bytes);
    expect(() => open()).toThrow(/data\.mdb is (truncated|not an LMDB file)/);
  });

  it("refuses a foreign directory in one sentence", () => {
    const foreign = mkdtempSync(join(tmpdir(), "metalwright-foreign-"));
    writeFileSync(join(foreign, "holiday.jpg"), "x");
    expect(() => openLmdbJournal(foreign)).toThrow(/holds other files \(holiday.jpg\)/);
    writeFileSync(join(foreign, "data.mdb"), "not a database at all".repeat(1000));
    expect(() => openLmdbJournal(foreign)).toThrow(/is not an LMDB file/);
    rmSync(foreign, { recursive: true });
  });

  it("refuses a damaged record instead of serving it", async () => {
    const store = open();
    await store.put(key("a"), undefined, object("a", { secret: "AAAAAAAA" }));
    await store.close();
    const file = join(directory, "data.mdb");
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf("AAAAAAAA"); at >= 0; at = bytes.indexOf("AAAAAAAA", at + 1)) bytes.write("B", at);
    writeFileSync(file, bytes);
    expect(() => open()).toThrow(/is damaged: revision 2 fails its checksum/);
  });
});
