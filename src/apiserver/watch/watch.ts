/** GET with `watch`: the changes of a selection as they happen, until the client leaves, time is up or it reads too slowly. */
import { minutes, seconds, type Timer } from "#clock";
import type { KubeObject } from "#kinds";
import type { ApiResponse, Sink } from "../http/message.ts";
import { expired, type StatusError } from "../http/status-error.ts";
import type { Call, Environment } from "../rest/call.ts";
import { type ListOptions, listOptions } from "../rest/list-options.ts";
import { prefixOf } from "../rest/resource.ts";
import { headersOf, includeObject } from "../rest/respond.ts";
import { type Selection, selectionOf } from "../rest/selection.ts";
import { entryJson, served } from "../rest/stored-form.ts";
import type { Change, ChangeType, Entry } from "../store/entry.ts";
import { partialMetadata, table, tableRow } from "../table/table.ts";
import { encodedEvent, ownEvent } from "./event-encoding.ts";

/** A watcher this far behind is dropped; it resumes from its last revision or lists again. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
const BOOKMARK_EVERY = minutes(1);
const SHORTEST_DEFAULT_TIMEOUT = minutes(30);

export function watch(call: Call, environment: Environment): ApiResponse {
  const options = listOptions(call);
  return {
    status: 200,
    headers: headersOf(call, "application/json"),
    body: { run: (sink, signal) => new Watcher(call, environment, options, sink).run(signal) },
  };
}

class Watcher {
  readonly #call: Call;
  readonly #environment: Environment;
  readonly #options: ListOptions;
  readonly #sink: Sink;
  readonly #selection: Selection | undefined;
  readonly #prefix: string;
  #headSent = false;
  #ended = false;
  #timers: Timer[] = [];
  #unsubscribe: () => void = () => {};

  constructor(call: Call, environment: Environment, options: ListOptions, sink: Sink) {
    this.#call = call;
    this.#environment = environment;
    this.#options = options;
    this.#sink = sink;
    this.#selection = selectionOf(options, call.resource);
    this.#prefix = prefixOf(call.resource, call.info.namespace);
  }

  /** Everything up to the subscription happens in one turn, so that no change falls between replay and live events. */
  run(signal: AbortSignal): void {
    if (signal.aborted) return;
    signal.addEventListener("abort", () => this.#stop(), { once: true });
    if (!this.#replay()) return;
    const { store } = this.#environment;
    this.#unsubscribe = store.subscribe(this.#call.resource.storage, (change) => this.#onChange(change));
    this.#startTimers();
  }

  /** Sends what happened before now; false when that is no longer known. */
  #replay(): boolean {
    const { store } = this.#environment;
    const { revision, sendInitialEvents } = this.#options;
    if (sendInitialEvents ?? (revision === undefined || revision === 0)) {
      for (const entry of store.range(this.#call.resource.storage, this.#prefix)) {
        if (!this.#selection || this.#selection(entry.object)) this.#send("ADDED", entry);
      }
      if (sendInitialEvents) this.#bookmark({ "k8s.io/initial-events-end": "true" });
      return true;
    }
    const from = revision === undefined || revision === 0 ? store.revision : revision;
    const changes = store.since(from);
    if (!changes) {
      this.#fail(expired(`too old resource version: ${from} (${store.compacted + 1})`));
      return false;
    }
    for (const change of changes) this.#onChange(change);
    return true;
  }

  #onChange(change: Change): void {
    const { entry, previous } = change;
    // A client may ask to start at a revision that is yet to come.
    if (entry.revision <= (this.#options.revision ?? 0) || !entry.key.startsWith(this.#prefix)) return;
    const type = this.#typeFor(change);
    if (!type) return;
    // An object that left the selection is shown as it was when it still belonged to it, at the new revision.
    this.#send(type, type === "DELETED" && change.type !== "DELETED" && previous ? departed(previous, entry) : entry);
    if (this.#sink.buffered > MAX_BUFFERED_BYTES) this.#stop();
  }

  #typeFor({ type, entry, previous }: Change): ChangeType | undefined {
    if (!this.#selection) return type;
    const before = previous !== undefined && this.#selection(previous.object);
    const now = type !== "DELETED" && this.#selection(entry.object);
    if (now) return before ? "MODIFIED" : "ADDED";
    return before ? "DELETED" : undefined;
  }

  #send(type: ChangeType, entry: Entry): void {
    if (this.#ended) return;
    this.#sink.write(this.#encode(type, entry));
  }

  #encode(type: ChangeType, entry: Entry): Buffer {
    const { accepted, resource } = this.#call;
    if (accepted.form === "object") {
      return encodedEvent(type, entry, `${resource.version}`, (e) => entryJson(e, resource));
    }
    if (accepted.form !== "Table") {
      return encodedEvent(type, entry, "metadata", (e) => JSON.stringify(partialMetadata(e.object)));
    }
    return Buffer.from(`${JSON.stringify({ type, object: this.#table(served(entry.object, resource)) })}\n`);
  }

  #table(object: KubeObject): unknown {
    const { columns } = this.#call.resource;
    const now = this.#environment.clock.now();
    const row = tableRow(object, { columns, include: includeObject(this.#call), now });
    const head = this.#headSent ? undefined : columns;
    this.#headSent = true;
    return table({ resourceVersion: object.metadata.resourceVersion }, head, [row]);
  }

  #bookmark(annotations?: Record<string, string>): void {
    if (this.#ended) return;
    const { resource, accepted } = this.#call;
    const resourceVersion = String(this.#environment.store.revision);
    const metadata = { resourceVersion, ...(annotations && { annotations }) };
    const kind = {
      kind: resource.kind,
      apiVersion: resource.group ? `${resource.group}/${resource.version}` : resource.version,
    };
    const whole = { ...kind, metadata } as KubeObject;
    if (accepted.form === "Table") {
      const row = { cells: [], object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata } };
      this.#sink.write(ownEvent("BOOKMARK", table({ resourceVersion }, undefined, [row])));
      return;
    }
    this.#sink.write(ownEvent("BOOKMARK", accepted.form === "object" ? whole : partialMetadata(whole)));
  }

  #startTimers(): void {
    const { clock, random } = this.#environment;
    const { timeoutSeconds, bookmarks } = this.#options;
    const timeout =
      timeoutSeconds === undefined ? SHORTEST_DEFAULT_TIMEOUT * (1 + random.next()) : seconds(timeoutSeconds);
    this.#timers.push(clock.after(timeout, () => this.#stop()));
    if (!bookmarks) return;
    const arm = (): void => {
      this.#timers[1] = clock.after(BOOKMARK_EVERY, () => {
        this.#bookmark();
        if (!this.#ended) arm();
      });
    };
    arm();
  }

  #fail(error: StatusError): void {
    this.#sink.write(ownEvent("ERROR", error.body));
    this.#stop();
  }

  #stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#unsubscribe();
    for (const timer of this.#timers) timer.cancel();
    this.#sink.end();
  }
}

/** One object per change, shared by all watchers, so that it too is encoded once. */
const departures = new WeakMap<Entry, Entry>();

function departed(previous: Entry, now: Entry): Entry {
  const known = departures.get(now);
  if (known) return known;
  const metadata = { ...previous.object.metadata, resourceVersion: String(now.revision) };
  const object = { ...previous.object, metadata };
  const entry: Entry = { key: now.key, revision: now.revision, object, json: JSON.stringify(object) };
  departures.set(now, entry);
  return entry;
}
