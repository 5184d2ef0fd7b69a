/**
 * Follows one kind on the server for ever: lists, watches, resumes where it was, and lists again only when it must.
 * Owns the position in the server's history; never decides what a change means.
 */
import { type Clock, minutes, Pacer, type Random, seconds } from "#clock";
import type { Kind, KubeObject } from "#kinds";
import type { Client, ListOptions, WatchEvent } from "../client/client.ts";
import { ApiError, isExpired } from "../client/errors.ts";
import { Backoff } from "./backoff.ts";
import { keyOf } from "./informer.ts";
import { Watchdog, WatchSilent } from "./watchdog.ts";

/** Bookmarks come once a minute, but the first one for a kind that nobody writes to only after two (seen on 1.36). */
const SILENCE_MS = minutes(3);
/** A server that streams its initial state says something within this long, or does not know how to. */
const INITIAL_SILENCE_MS = seconds(30);
/** A watch that lived so long was healthy: the next failure is the first again. */
const HEALTHY_AFTER_MS = seconds(60);
/** A watch that ends by itself sooner counts as a failure, or a broken server would be asked in a tight loop. */
const TOO_SHORT_MS = seconds(1);
/** How long one page of a list may take: a large fleet over a slow line. */
const LIST_PAGE_MS = minutes(1);
const EVERYTHING = 1_000_000;
const SHORTEST_WATCH_SECONDS = minutes(5) / 1000;

export type ObjectEvent<T> = Exclude<WatchEvent<T>, { type: "BOOKMARK" }>;

/** Where a reflector puts what it learns, in the order of the server's history. */
export interface ReflectorSink<T> {
  /** Called once for each object that arrives, before anything else sees it. */
  admit(object: T): T;
  /** The whole state by key; resolves when it has been taken over. */
  replace(state: ReadonlyMap<string, T>): Promise<void>;
  apply(event: ObjectEvent<T>): void;
}

export type Selection = Pick<ListOptions, "namespace" | "labelSelector" | "fieldSelector" | "metadataOnly">;

export interface ReflectorOptions {
  readonly client: Pick<Client, "pages" | "watch">;
  readonly clock: Clock;
  readonly random: Random;
  /** A watch on which no byte arrives for longer is abandoned and resumed; three minutes unless said otherwise. */
  readonly silenceMs?: number;
  /** False never asks for the initial state as a stream (WatchList). */
  readonly watchList?: boolean;
  readonly pageSize?: number;
}

/** The server's history does not go on from our position: only its whole state helps. */
class PositionLost extends Error {
  override readonly name = "PositionLost";
}

/** The server, or something before it, cannot stream the initial state. */
class NoWatchList extends Error {
  override readonly name = "NoWatchList";
}

export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions;
  readonly #kind: Kind<T>;
  readonly #selection: Selection;
  readonly #sink: ReflectorSink<T>;
  readonly #backoff: Backoff;
  readonly #pacer: Pacer;
  #watchList: boolean;
  #position: string | undefined;
  /** The moment of a list was compacted away between its pages, so the next attempt is one answer. */
  #tooSlowForPages = false;
  /** Monotonic time at which bytes last arrived. */
  lastActivity: number | undefined;
  /** Monotonic time at which the sink was last known to be as current as the server's stream. */
  lastConfirmed: number | undefined;
  /** Why it is not watching; undefined while all is well. */
  lastError: unknown;

  constructor(options: ReflectorOptions, kind: Kind<T>, selection: Selection, sink: ReflectorSink<T>) {
    this.#options = options;
    this.#kind = kind;
    this.#selection = selection;
    this.#sink = sink;
    this.#backoff = new Backoff(options.random);
    this.#pacer = new Pacer(options.clock);
    this.#watchList = options.watchList ?? true;
  }

  /** Runs until the signal is aborted; never rejects for anything the server does. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const began = clock.monotonic();
      const error = await this.#pass(signal).then(
        () => undefined,
        (reason: unknown) => reason ?? new Error("failed without a reason"),
      );
      if (signal.aborted) return;
      const delayMs = this.#judge(error, clock.monotonic() - began);
      if (delayMs > 0) await clock.sleep(delayMs, signal).catch(() => {});
    }
  }

  async #pass(signal: AbortSignal): Promise<void> {
    if (this.#position === undefined && !this.#watchList) await this.#list(signal);
    await this.#stream(signal);
  }

  /** Decides from how a pass ended what the next one starts from, and after what delay. */
  #judge(error: unknown, lifetimeMs: number): number {
    if (lifetimeMs >= HEALTHY_AFTER_MS) this.#backoff.reset();
    if (error === undefined) return lifetimeMs >= TOO_SHORT_MS ? 0 : this.#backoff.next();
    this.lastError = error;
    const starting = this.#position === undefined && this.#watchList;
    if (starting && refusesWatchList(error)) {
      this.#watchList = false;
      return 0;
    }
    const lost = losesPosition(error);
    if (lost) this.#position = undefined;
    const first = this.#backoff.failures === 0;
    const delayMs = this.#backoff.next();
    if (lost && first) return 0;
    return Math.max(delayMs, error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0);
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const pageSize = this.#tooSlowForPages ? EVERYTHING : this.#options.pageSize;
    const state = new Map<string, T>();
    let resourceVersion: string | undefined;
    this.#tooSlowForPages = false;
    const call = { signal, priority: "bulk", timeoutMs: LIST_PAGE_MS, ...(pageSize ? { pageSize } : {}) } as const;
    try {
      for await (const page of client.pages(this.#kind, { ...this.#selection, ...call })) {
        this.#heard();
        resourceVersion = page.metadata.resourceVersion ?? resourceVersion;
        for (const item of page.items) {
          const object = this.#sink.admit(item);
          state.set(keyOf(object), object);
        }
      }
    } catch (error) {
      this.#tooSlowForPages = isExpired(error);
      throw error;
    }
    await this.#takeOver(state, resourceVersion);
  }

  async #takeOver(state: ReadonlyMap<string, T>, resourceVersion: string | undefined): Promise<void> {
    if (!resourceVersion) throw new Error(`list ${this.#kind.plural}: the answer has no resourceVersion`);
    await this.#sink.replace(state);
    this.#position = resourceVersion;
    this.lastConfirmed = this.#options.clock.monotonic();
    this.lastError = undefined;
  }

  async #stream(signal: AbortSignal): Promise<void> {
    const { client, clock, random, silenceMs = SILENCE_MS } = this.#options;
    let initial = this.#position === undefined ? new Map<string, T>() : undefined;
    const window = initial ? Math.min(INITIAL_SILENCE_MS, silenceMs) : silenceMs;
    const watchdog = new Watchdog(clock, window, this.#kind.plural, signal);
    try {
      const events = client.watch(this.#kind, {
        ...this.#selection,
        ...(this.#position === undefined ? { sendInitialEvents: true } : { resourceVersion: this.#position }),
        timeoutSeconds: Math.round(SHORTEST_WATCH_SECONDS * (1 + random.next())),
        signal: watchdog.signal,
        onActivity: () => {
          watchdog.heard();
          this.#heard();
          if (!initial) this.lastError = undefined;
        },
      });
      for await (const event of events) {
        const pause = this.#pacer.pause();
        if (pause) await pause;
        if (!initial) this.#follow(event);
        else if (await this.#gather(event, initial)) {
          initial = undefined;
          watchdog.rewind(silenceMs);
        }
      }
      if (initial) throw new NoWatchList(`watch ${this.#kind.plural}: it ended before the initial state was complete`);
    } catch (error) {
      // Whatever the client makes of an abort, the reason for it is what a person needs to read.
      throw watchdog.signal.aborted ? watchdog.signal.reason : error;
    } finally {
      watchdog.stop();
    }
  }

  /** True once the initial state was complete and has been taken over. */
  async #gather(event: WatchEvent<T>, initial: Map<string, T>): Promise<boolean> {
    if (event.type === "BOOKMARK") {
      // A server that knows about initial events sends no other bookmark before the one that ends them.
      if (!event.initialEventsEnd) throw new NoWatchList(`watch ${this.#kind.plural}: sendInitialEvents was ignored`);
      await this.#takeOver(initial, event.resourceVersion);
      return true;
    }
    const key = keyOf(event.object);
    if (event.type === "DELETED") initial.delete(key);
    else initial.set(key, this.#sink.admit(event.object));
    return false;
  }

  #follow(event: WatchEvent<T>): void {
    if (event.type === "BOOKMARK") {
      if (isOlder(event.resourceVersion, this.#position)) {
        const [now, then] = [event.resourceVersion, this.#position];
        throw new PositionLost(`watch ${this.#kind.plural}: the server is at ${now} after ${then}; was it restored?`);
      }
      this.#position = event.resourceVersion || this.#position;
    } else {
      const object = this.#sink.admit(event.object);
      this.#sink.apply({ type: event.type, object });
      this.#position = object.metadata.resourceVersion ?? this.#position;
    }
    this.lastConfirmed = this.#options.clock.monotonic();
  }

  #heard(): void {
    this.lastActivity = this.#options.clock.monotonic();
  }
}

/** Only what the refusal is about tells a server without WatchList from one that is merely in trouble. */
function refusesWatchList(error: unknown): boolean {
  if (error instanceof NoWatchList || error instanceof WatchSilent) return true;
  return error instanceof ApiError && (error.code === 400 || error.code === 422);
}

/** Expired; or a server that does not understand the position; or a kind that went away and may come back anew. */
function losesPosition(error: unknown): boolean {
  if (error instanceof PositionLost || isExpired(error)) return true;
  return error instanceof ApiError && [400, 404, 422].includes(error.code);
}

/** Since 1.35 resourceVersions are promised to be comparable numbers; what is no number is not compared. */
function isOlder(version: string, than: string | undefined): boolean {
  const numeric = /^[0-9]{1,20}$/;
  return than !== undefined && numeric.test(version) && numeric.test(than) && BigInt(version) < BigInt(than);
}
