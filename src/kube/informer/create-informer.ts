/** The informer: what a reflector learns, kept in a cache and told to handlers. Owns the cache; changes nothing on the server. */
import { Pacer } from "#clock";
import { apiVersionOf, type Kind, type KubeObject } from "#kinds";
import type { Client, ObjectName } from "../client/client.ts";
import type { IndexFunction, Informer, InformerHandler, InformerOptions } from "./informer.ts";
import { keyOf } from "./informer.ts";
import { ObjectCache } from "./object-cache.ts";
import type { Observed } from "./observed.ts";
import { type ObjectEvent, Reflector, type ReflectorOptions } from "./reflector.ts";
import { Subscribers } from "./subscribers.ts";

export interface InformerSettings extends ReflectorOptions {
  readonly client: Client;
  /** Hears what handlers, index functions and transforms throw. */
  readonly onError: (error: unknown) => void;
}

export function createInformer<T extends KubeObject>(
  settings: InformerSettings,
  kind: Kind<T>,
  options: InformerOptions<T> = {},
): CachingInformer<T> {
  return new CachingInformer(settings, kind, options);
}

export class CachingInformer<T extends KubeObject> implements Informer<T> {
  readonly kind: Kind<T>;
  readonly #settings: InformerSettings;
  readonly #options: InformerOptions<T>;
  readonly #apiVersion: string;
  readonly #cache: ObjectCache<T>;
  readonly #subscribers: Subscribers<T>;
  readonly #reflector: Reflector<T>;
  readonly #synced = latch();
  #hasSynced = false;
  #running = false;

  constructor(settings: InformerSettings, kind: Kind<T>, options: InformerOptions<T>) {
    const { indexes = {}, transform: _, ...selection } = options;
    this.kind = kind;
    this.#settings = settings;
    this.#options = options;
    this.#apiVersion = apiVersionOf(kind);
    this.#cache = new ObjectCache(settings.onError);
    this.#subscribers = new Subscribers(settings.onError);
    this.#reflector = new Reflector(settings, kind, selection, {
      admit: (object) => this.#admit(object),
      replace: (state) => this.#replace(state),
      apply: (event) => this.#apply(event),
    });
    this.addIndexes(indexes);
  }

  /** Builds further indexes, at any time; refuses another function under a name that is taken. */
  addIndexes(indexes: Readonly<Record<string, IndexFunction<T>>>): void {
    for (const [name, values] of Object.entries(indexes)) this.#cache.addIndex(name, values);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#running) throw new Error(`the informer of ${this.kind.plural} runs already`);
    this.#running = true;
    await this.#reflector.run(signal);
    this.#synced.fail(new Error(`the informer of ${this.kind.plural} was stopped before it had synced`));
  }

  synced(signal?: AbortSignal): Promise<void> {
    return signal ? unlessAborted(this.#synced.promise, signal) : this.#synced.promise;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get(name: ObjectName): T | undefined {
    return this.#cache.get(typeof name === "string" ? name : keyOf(name));
  }

  list(): readonly T[] {
    return this.#cache.list();
  }

  byIndex(index: string, value: string): readonly T[] {
    return this.#cache.byIndex(index, value);
  }

  observe(name: ObjectName): Observed<T> {
    const value = this.get(name);
    if (value !== undefined) return { known: true, present: true, value, at: this.#confirmedAt(), source: "cache" };
    const cache = this.#hasSynced ? "the cache" : "the cache, which has not synced yet";
    return { known: false, reason: `${this.#describe(name)} is not in ${cache}; only a live read can tell` };
  }

  async observeLive(name: ObjectName, signal: AbortSignal): Promise<Observed<T>> {
    try {
      const found = await this.#settings.client.find(this.kind, name, { signal });
      const at = this.#settings.clock.now();
      if (!found) return { known: true, present: false, at, source: "live" };
      return { known: true, present: true, value: this.#admit(found), at, source: "live" };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { known: false, reason: `${this.#describe(name)} could not be read: ${why}` };
    }
  }

  subscribe(handler: InformerHandler<T>): () => void {
    return this.#subscribers.join(handler, this.#cache.list());
  }

  get lastActivity(): number | undefined {
    return this.#reflector.lastActivity;
  }

  get lastError(): unknown {
    return this.#reflector.lastError;
  }

  /** Names the kind (list items of built-in kinds lack it) with shared strings, and drops what is not kept. */
  #admit(object: T): T {
    const whole = this.#options.metadataOnly ? ({ metadata: object.metadata } as T) : object;
    const kept = this.#transformed(whole);
    kept.apiVersion = this.#apiVersion;
    kept.kind = this.kind.kind;
    return kept;
  }

  /** A transform that throws costs its effect on that object, never the object. */
  #transformed(object: T): T {
    const { transform } = this.#options;
    try {
      if (transform) return transform(object);
    } catch (error) {
      this.#settings.onError(error);
    }
    return withoutManagedFields(object);
  }

  #apply({ type, object }: ObjectEvent<T>): void {
    const key = keyOf(object);
    if (type === "DELETED") this.#remove(key, object);
    else this.#put(key, object, false);
  }

  /** Makes the cache equal to `state`, letting others run in between; every key is right at any moment. */
  async #replace(state: ReadonlyMap<string, T>): Promise<void> {
    const pacer = new Pacer(this.#settings.clock);
    const gone = [...this.#cache.keys()].filter((key) => !state.has(key));
    for (const key of gone) {
      const pause = pacer.pause();
      if (pause) await pause;
      this.#remove(key);
    }
    for (const [key, object] of state) {
      const pause = pacer.pause();
      if (pause) await pause;
      this.#put(key, object, !this.#hasSynced);
    }
    this.#hasSynced = true;
    this.#synced.open();
  }

  #put(key: string, object: T, initial: boolean): void {
    const before = this.#cache.get(key);
    if (before && before.metadata.uid !== object.metadata.uid) this.#remove(key);
    else if (before) {
      if (before.metadata.resourceVersion === object.metadata.resourceVersion) return;
      this.#cache.set(key, object);
      this.#subscribers.updated(before, object);
      return;
    }
    this.#cache.set(key, object);
    this.#subscribers.added(object, initial);
  }

  #remove(key: string, last?: T): void {
    const before = this.#cache.get(key);
    if (before === undefined) return;
    this.#cache.delete(key);
    this.#subscribers.deleted(last ?? before);
  }

  /** The wall-clock time at which the cache was last in step with the server. */
  #confirmedAt(): Date {
    const { clock } = this.#settings;
    const ageMs = clock.monotonic() - (this.#reflector.lastConfirmed ?? clock.monotonic());
    return new Date(clock.now().getTime() - ageMs);
  }

  #describe(name: ObjectName): string {
    return `${this.kind.kind} ${typeof name === "string" ? name : keyOf(name)}`;
  }
}

/** Sets the field instead of deleting it: a deletion would turn the object into a slow and large dictionary. */
function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { metadata } = object as { metadata: { managedFields?: unknown } };
  if (metadata.managedFields) metadata.managedFields = undefined;
  return object;
}

/** A promise that is settled from outside, once, and that nobody has to handle. */
function latch() {
  let open: () => void = () => {};
  let fail: (error: Error) => void = () => {};
  const promise = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  promise.catch(() => {});
  return { promise, open, fail };
}

function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
