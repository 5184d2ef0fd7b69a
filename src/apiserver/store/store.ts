/**
 * The revisioned store under the API: compare-and-swap writes, consistent reads, history for watches. A change becomes
 * visible, to readers and watchers alike, only after the journal made it durable; a failed journal ends all writing.
 */
import type { KubeObject } from "#kinds";
import { Collection } from "./collection.ts";
import { type Change, type Entry, resourceOf } from "./entry.ts";
import { History, type HistoryLimits } from "./history.ts";
import { type Journal, type JournalRecord, UnusableData } from "./journal.ts";

/** The stored version is not the one the writer saw. */
export class WriteConflict extends Error {
  override readonly name = "WriteConflict";
}

/** The journal failed: nothing is acknowledged any more. */
export class StorageFailed extends Error {
  override readonly name = "StorageFailed";
  constructor(cause: unknown) {
    super(`storage failed, no write is accepted until the server is restarted: ${String(cause)}`, { cause });
  }
}

interface Pending {
  readonly change: Change;
  readonly done: (entry: Entry) => void;
  readonly fail: (error: Error) => void;
}

const DEFAULT_LIMITS: HistoryLimits = { changes: 10_000, bytes: 32 * 1024 * 1024 };

export class Store {
  readonly #journal: Journal;
  readonly #collections = new Map<string, Collection>();
  readonly #listeners = new Map<string, Set<(change: Change) => void>>();
  readonly #everywhere = new Set<(change: Change) => void>();
  /** The newest, not yet durable change of each key; writers compare against it. */
  readonly #unflushed = new Map<string, Change>();
  readonly #history: History;
  #queue: Pending[] = [];
  /** Journal records that the next batch may drop. */
  #forget: number[] = [];
  #flushing: Promise<void> | undefined;
  #revision = 1;
  #assigned = 1;
  #failure: StorageFailed | undefined;

  constructor(journal: Journal, limits: HistoryLimits = DEFAULT_LIMITS) {
    this.#journal = journal;
    const { records, compacted } = journal.load();
    this.#history = new History(limits, compacted);
    for (const record of records) this.#replay(record, compacted);
    this.#assigned = this.#revision;
  }

  /** The revision of the newest visible change. */
  get revision(): number {
    return this.#revision;
  }

  get compacted(): number {
    return this.#history.compacted;
  }

  get failure(): StorageFailed | undefined {
    return this.#failure;
  }

  /** The visible version. */
  get(key: string): Entry | undefined {
    return this.#collections.get(resourceOf(key))?.get(key);
  }

  /** The version a writer has to build on: the newest one, durable or on its way to be. */
  head(key: string): Entry | undefined {
    const change = this.#unflushed.get(key);
    if (change) return change.type === "DELETED" ? undefined : change.entry;
    return this.get(key);
  }

  count(resource: string): number {
    return this.#collections.get(resource)?.size ?? 0;
  }

  resources(): string[] {
    return [...this.#collections.keys()];
  }

  /** Visible entries under a prefix in key order. */
  range(resource: string, prefix: string, after?: string): Iterable<Entry> {
    return this.#collections.get(resource)?.range(prefix, after) ?? [];
  }

  /** The entries as they were at a past revision, in key order; undefined when that is compacted. */
  rangeAt(resource: string, prefix: string, revision: number): Entry[] | undefined {
    const changes = this.#history.since(revision);
    if (!changes) return undefined;
    const entries = new Map<string, Entry>();
    for (const entry of this.range(resource, prefix)) entries.set(entry.key, entry);
    for (const { entry, previous } of changes.reverse()) {
      if (!entry.key.startsWith(prefix)) continue;
      if (previous) entries.set(entry.key, previous);
      else entries.delete(entry.key);
    }
    return [...entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** All changes after `revision`; undefined when some are compacted. */
  since(revision: number): Change[] | undefined {
    return this.#history.since(revision);
  }

  /** Calls `listener` for every change of a resource, in order, right after it became visible. */
  subscribe(resource: string, listener: (change: Change) => void): () => void {
    const listeners = this.#listeners.get(resource) ?? new Set();
    this.#listeners.set(resource, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  subscribeAll(listener: (change: Change) => void): () => void {
    this.#everywhere.add(listener);
    return () => this.#everywhere.delete(listener);
  }

  /**
   * Stores a new version if `expected` is still the head (undefined: the key must not exist), and resolves when it is
   * durable and visible. The store stamps `metadata.resourceVersion` into `object` and owns it from then on.
   */
  put(key: string, expected: Entry | undefined, object: KubeObject): Promise<Entry> {
    if (!this.#isHead(key, expected)) return this.#refuse(key);
    const revision = ++this.#assigned;
    object.metadata.resourceVersion = String(revision);
    const entry: Entry = { key, revision, object, json: JSON.stringify(object) };
    return this.#enqueue({ type: expected ? "MODIFIED" : "ADDED", entry, previous: expected });
  }

  /** Deletes the version `expected`, and resolves with its last state when that is durable and visible. */
  delete(key: string, expected: Entry): Promise<Entry> {
    if (!this.#isHead(key, expected)) return this.#refuse(key);
    return this.#enqueue({ type: "DELETED", entry: tombstone(expected, ++this.#assigned), previous: expected });
  }

  /** Waits for the writes under way, then closes the journal. */
  async close(): Promise<void> {
    while (this.#flushing) await this.#flushing;
    await this.#journal.close();
  }

  /** Comparing and swapping happen in one turn: nothing may be awaited between this and the enqueuing. */
  #isHead(key: string, expected: Entry | undefined): boolean {
    return !this.#failure && this.head(key)?.revision === expected?.revision;
  }

  /** A refusal is an answer about a state: it may not leave before that state is durable. */
  async #refuse(key: string): Promise<never> {
    while (this.#unflushed.has(key) && this.#flushing) await this.#flushing;
    throw this.#failure ?? new WriteConflict(key);
  }

  #enqueue(change: Change): Promise<Entry> {
    this.#unflushed.set(change.entry.key, change);
    return new Promise((done, fail) => {
      this.#queue.push({ change, done, fail });
      this.#flushing ??= this.#flushAll();
    });
  }

  async #flushAll(): Promise<void> {
    // One turn of patience: writes that arrive together are made durable together.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      await this.#flush(batch);
    }
    this.#flushing = undefined;
  }

  async #flush(batch: readonly Pending[]): Promise<void> {
    const forget = this.#forget;
    this.#forget = [];
    try {
      if (this.#failure) throw this.#failure;
      await this.#journal.append({
        records: batch.map(({ change }) => recordOf(change)),
        forget,
        compacted: this.#history.compacted,
      });
    } catch (error) {
      this.#failure ??= new StorageFailed(error);
      this.#unflushed.clear();
      for (const { fail } of batch) fail(this.#failure);
      return;
    }
    for (const { change, done } of batch) {
      this.#reveal(change);
      done(change.entry);
    }
  }

  #reveal(change: Change): void {
    const { entry } = change;
    this.#apply(change);
    this.#remember(change);
    this.#revision = entry.revision;
    if (this.#unflushed.get(entry.key) === change) this.#unflushed.delete(entry.key);
    for (const listener of this.#listeners.get(resourceOf(entry.key)) ?? []) listener(change);
    for (const listener of this.#everywhere) listener(change);
  }

  #apply({ type, entry }: Change): void {
    const resource = resourceOf(entry.key);
    let collection = this.#collections.get(resource);
    if (!collection) {
      collection = new Collection();
      this.#collections.set(resource, collection);
    }
    if (type === "DELETED") collection.delete(entry.key);
    else collection.set(entry);
  }

  #replay(record: JournalRecord, compacted: number): void {
    const previous = this.get(record.key);
    const change = changeOf(record, previous);
    this.#revision = Math.max(this.#revision, record.revision, compacted);
    if (!change) return;
    this.#apply(change);
    if (record.revision > compacted) this.#remember(change);
  }

  #remember(change: Change): void {
    for (const dropped of this.#history.add(change)) this.#forget.push(...forgettable(dropped));
  }
}

function tombstone(last: Entry, revision: number): Entry {
  const metadata = { ...last.object.metadata, resourceVersion: String(revision) };
  const object = { ...last.object, metadata };
  return { key: last.key, revision, object, json: JSON.stringify(object) };
}

function recordOf({ type, entry }: Change): JournalRecord {
  return { revision: entry.revision, key: entry.key, json: type === "DELETED" ? undefined : entry.json };
}

/** Once a change can no longer be replayed, the version before it is not needed, and neither is a deletion itself. */
function forgettable({ type, entry, previous }: Change): number[] {
  const superseded = previous ? [previous.revision] : [];
  return type === "DELETED" ? [...superseded, entry.revision] : superseded;
}

function changeOf({ revision, key, json }: JournalRecord, previous: Entry | undefined): Change | undefined {
  if (json === undefined) {
    return previous && { type: "DELETED", entry: tombstone(previous, revision), previous };
  }
  const entry: Entry = { key, revision, object: parse(json, revision), json };
  return { type: previous ? "MODIFIED" : "ADDED", entry, previous };
}

function parse(json: string, revision: number): KubeObject {
  try {
    return JSON.parse(json) as KubeObject;
  } catch {
    throw new UnusableData(`the data is damaged: the record of revision ${revision} is not readable`);
  }
}
