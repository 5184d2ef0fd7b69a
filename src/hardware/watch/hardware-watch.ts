/**
 * Watches one BMC as an informer watches a kind: reads now and then, keeps the last snapshot, and tells who listens
 * what changed. Decides nothing about what the change means. Listeners must not throw.
 */
import { isDeepStrictEqual } from "node:util";
import { type Clock, type Random, seconds, type Timer } from "#clock";
import { type Outcome, success } from "#redfish";
import type { BmcFacts, Driver, HardwareInventory, ManagerFacts, ServerFacts } from "../driver/driver.ts";
import { nextPollMs } from "./pace.ts";
import { type Debouncing, PowerDebounce } from "./power-debounce.ts";
import {
  type BmcSnapshot,
  emptySnapshot,
  type HardwareChange,
  type Seen,
  type ServerSnapshot,
  type SnapshotPart,
  serverIn,
} from "./snapshot.ts";

export interface WatchOptions {
  readonly driver: Driver;
  readonly clock: Clock;
  readonly random: Random;
  /** For tests that take it out. */
  readonly debounce?: () => Debouncing;
}

/** A power state that will not settle is not hurried after for longer than this. */
const UNSETTLED_MS = seconds(10);
const START_SPREAD_MS = seconds(1);
/** Events that come faster than this are one. */
const EVENT_GAP_MS = seconds(1);
const READ_TIMEOUT_MS = seconds(30);

export class HardwareWatch {
  readonly #options: WatchOptions;
  readonly #listeners = new Set<(change: HardwareChange) => void>();
  readonly #debounces = new Map<string, Debouncing>();
  /** Until when a change of a server is expected, by its id. */
  readonly #expected = new Map<string, number>();
  #snapshot: BmcSnapshot = emptySnapshot;
  #introduced = false;
  #events = false;
  #failures = 0;
  #turn = 0;
  #lastReadMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #reading: Promise<unknown> | undefined;
  #stop: AbortController | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  get snapshot(): BmcSnapshot {
    return this.#snapshot;
  }

  /** Begins to read, within a second: a thousand watches that start together do not ask together. */
  start(): void {
    if (this.#stop) return;
    this.#stop = new AbortController();
    this.#later(this.#options.random.next() * START_SPREAD_MS);
  }

  /** Ends the reading and waits for the last one. */
  async stop(): Promise<void> {
    this.#stop?.abort(new Error("the watch ends"));
    this.#timer?.cancel();
    await this.#reading;
  }

  /** Calls `listener` after every change, until the returned function is called. */
  subscribe(listener: (change: HardwareChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A change of this server is expected within so long: it is looked at often until then. */
  expect(server: string, withinMs: number): void {
    this.#expected.set(server, this.#options.clock.monotonic() + withinMs);
    if (!this.#reading) this.#plan();
  }

  /** What was expected has come. */
  settled(server: string): void {
    this.#expected.delete(server);
  }

  /** Whether the BMC tells us of changes by itself now. */
  eventsWork(work: boolean): void {
    this.#events = work;
    if (!this.#reading) this.#plan();
  }

  /** The BMC said that something happened, to a server if it named one. A storm of it is one look per second. */
  notify(server?: string): void {
    const { clock } = this.#options;
    for (const id of server === undefined ? this.#snapshot.servers.map((one) => one.id) : [server])
      this.#expected.set(id, Math.max(this.#expected.get(id) ?? 0, clock.monotonic() + seconds(5)));
    if (this.#stop && !this.#reading) this.#later(Math.max(0, this.#lastReadMs + EVENT_GAP_MS - clock.monotonic()));
  }

  /** Looks at one server now and returns what was seen. */
  async refresh(server: string, options: { readonly signal?: AbortSignal } = {}): Promise<Outcome<ServerFacts>> {
    const seen = await this.#options.driver.readServer(server, { timeoutMs: READ_TIMEOUT_MS, ...options });
    this.#took(seen, (facts) => this.#sawServer(facts));
    return seen;
  }

  /** Reads everything once more; what takes many requests happens only when asked for. */
  async refreshInventory(options: { readonly signal?: AbortSignal } = {}): Promise<Outcome<HardwareInventory>> {
    const read = await this.#options.driver.readInventory(options);
    this.#took(read, (inventory) => this.#replace("inventory", inventory));
    return read;
  }

  #later(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(delayMs, () => {
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined;
        this.#plan();
      });
    });
  }

  #plan(retryAfterMs?: number): void {
    if (!this.#stop || this.#stop.signal.aborted) return;
    const facts = {
      expecting: !this.#introduced || this.#hot().length > 0,
      events: this.#events,
      failures: this.#failures,
      retryAfterMs: retryAfterMs ?? this.#snapshot.lastFailure?.retryAfterMs ?? 0,
    };
    const { clock, random } = this.#options;
    const sinceLast = clock.monotonic() - this.#lastReadMs;
    this.#later(Math.max(0, nextPollMs(facts, random) - Math.max(0, sinceLast)));
  }

  async #read(): Promise<void> {
    const { driver, clock } = this.#options;
    this.#lastReadMs = clock.monotonic();
    const options = { timeoutMs: READ_TIMEOUT_MS, ...(this.#stop ? { signal: this.#stop.signal } : {}) };
    if (!this.#introduced) {
      this.#took(await driver.introduce(options), (facts) => this.#met(facts));
    } else {
      const target = this.#nextTarget();
      if (target === undefined) this.#took(await driver.readManager(options), (facts) => this.#sawManager(facts));
      else this.#took(await driver.readServer(target, options), (facts) => this.#sawServer(facts));
    }
    this.#lastReadMs = clock.monotonic();
  }

  /** A server that something is expected of, else each server and the manager in turn (undefined). */
  #nextTarget(): string | undefined {
    const hot = this.#hot();
    const round = hot.length > 0 ? hot : [...this.#snapshot.servers.map(({ id }) => id), undefined];
    return round[this.#turn++ % round.length];
  }

  #hot(): readonly string[] {
    const now = this.#options.clock.monotonic();
    for (const [id, until] of this.#expected) if (until <= now) this.#expected.delete(id);
    return [...this.#expected.keys()];
  }

  #took<T>(outcome: Outcome<T>, use: (value: T) => void): void {
    if (this.#stop?.signal.aborted) return;
    if (outcome.ok) {
      this.#failures = 0;
      this.#sawAlive(true);
      use(outcome.value);
      return;
    }
    // A closed fence says nothing about the BMC.
    if (outcome.failure.code === "Fenced") return;
    this.#failures++;
    this.#sawAlive(false, outcome);
  }

  #sawAlive(alive: boolean, outcome: Outcome<unknown> = success(undefined)): void {
    const changed = this.#snapshot.reachable?.value !== alive;
    const { lastFailure: _, ...rest } = this.#snapshot;
    this.#snapshot = {
      ...rest,
      reachable: changed || alive ? this.#seen(alive) : (this.#snapshot.reachable ?? this.#seen(alive)),
      ...(outcome.ok ? {} : { lastFailure: outcome.failure }),
    };
    if (changed) this.#tell({ parts: ["reachable"] });
  }

  #met({ manager, servers }: BmcFacts): void {
    this.#introduced = true;
    const gone = this.#snapshot.servers.filter(({ id }) => !servers.some((one) => one.id === id));
    this.#snapshot = { ...this.#snapshot, servers: this.#snapshot.servers.filter((one) => !gone.includes(one)) };
    this.#sawManager(manager);
    for (const facts of servers) this.#sawServer(facts);
    this.#tell({ parts: ["servers"] });
  }

  #sawManager(facts: ManagerFacts | undefined): void {
    if (facts !== undefined) this.#replace("manager", facts);
  }

  #replace<P extends "manager" | "inventory">(part: P, value: ValueOf<P>): void {
    const changed = !isDeepStrictEqual(this.#snapshot[part]?.value, value);
    this.#snapshot = { ...this.#snapshot, [part]: this.#seen(value) };
    if (changed) this.#tell({ parts: [part] });
  }

  #sawServer(facts: ServerFacts): void {
    const before = serverIn(this.#snapshot, facts.id);
    const counts = this.#debounceOf(facts.id).observe(facts.power);
    const after: ServerSnapshot = {
      id: facts.id,
      facts: this.#seen(facts),
      ...(counts === undefined
        ? {}
        : { power: counts === facts.power ? this.#seen(counts) : keep(before?.power, this.#seen(counts)) }),
    };
    const servers = before
      ? this.#snapshot.servers.map((one) => (one === before ? after : one))
      : [...this.#snapshot.servers, after];
    this.#snapshot = { ...this.#snapshot, servers };
    if (facts.power !== undefined && counts !== facts.power) this.#hurry(facts.id);
    const parts = changedParts(before, after);
    if (parts.length > 0) this.#tell({ server: facts.id, parts });
  }

  /** What was seen once is looked at again soon, for a while. */
  #hurry(id: string): void {
    if (!this.#expected.has(id)) this.#expected.set(id, this.#options.clock.monotonic() + UNSETTLED_MS);
  }

  #debounceOf(id: string): Debouncing {
    let debounce = this.#debounces.get(id);
    if (!debounce) {
      debounce = this.#options.debounce?.() ?? new PowerDebounce();
      this.#debounces.set(id, debounce);
    }
    return debounce;
  }

  #seen<T>(value: T): Seen<T> {
    const { clock } = this.#options;
    return { value, at: clock.now(), atMs: clock.monotonic() };
  }

  #tell(change: HardwareChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

type ValueOf<P extends "manager" | "inventory"> = NonNullable<BmcSnapshot[P]>["value"];

/** The state that counts keeps the time at which it was last seen. */
function keep<T>(before: Seen<T> | undefined, otherwise: Seen<T>): Seen<T> {
  return before ?? otherwise;
}

function changedParts(before: ServerSnapshot | undefined, after: ServerSnapshot): readonly SnapshotPart[] {
  const facts = !isDeepStrictEqual(before?.facts.value, after.facts.value);
  const power = before?.power?.value !== after.power?.value;
  return [...(facts ? (["facts"] as const) : []), ...(power ? (["power"] as const) : [])];
}
