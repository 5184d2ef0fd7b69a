/** A local, indexed copy of one kind's objects that follows the server. */
import type { Kind, KubeObject, ObjectKey } from "#kinds";
import type { ObjectName } from "../client/client.ts";
import type { Observed } from "./observed.ts";

/** Told of every change after it is in the cache; per key never out of order and never lost. Must not throw; if it does, the others are still told. */
export interface InformerHandler<T> {
  /** `initial` is true for objects of the first list. */
  added?(object: T, initial: boolean): void;
  updated?(before: T, after: T): void;
  /** `object` is the last state known; after a relist it may be older than the deletion. */
  deleted?(object: T): void;
}

/** Computes the values under which an object is found: none, one or many. */
export type IndexFunction<T> = (object: T) => readonly string[];

export interface InformerOptions<T> {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** Keep only `metadata`: a tenth of the memory where nothing else is read. */
  readonly metadataOnly?: boolean;
  /**
   * What is kept of each object that arrives; it may modify and return its argument. Unless given, `managedFields`
   * is dropped: nobody reads it from a cache, and it is often half of the object.
   */
  readonly transform?: (object: T) => T;
}

/** The cached objects are shared and frozen by convention: never modify one. */
export interface Informer<T extends KubeObject> {
  readonly kind: Kind<T>;
  /** Lists and watches until the signal is aborted; never rejects for anything the server does. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when the first list is in the cache and its handlers were told. */
  synced(signal?: AbortSignal): Promise<void>;
  readonly hasSynced: boolean;
  get(name: ObjectName): T | undefined;
  list(): readonly T[];
  byIndex(index: string, value: string): readonly T[];
  /** From the cache when it is there; otherwise Unknown, because missing from a cache is not absence. */
  observe(name: ObjectName): Observed<T>;
  /** Asks the server itself; the only way to learn of an absence. Unknown when the server could not be asked. */
  observeLive(name: ObjectName, signal: AbortSignal): Promise<Observed<T>>;
  /** Existing objects are delivered first, with `initial` true. Returns how to unsubscribe. */
  subscribe(handler: InformerHandler<T>): () => void;
  /** Health for /readyz and metrics: when bytes last arrived (monotonic), and the last error while not watching. */
  readonly lastActivity: number | undefined;
  readonly lastError: unknown;
}

/** `namespace/name`, or `name` for cluster-scoped objects. */
export function keyOf(object: KubeObject | ObjectKey): string {
  const { name, namespace } = "metadata" in object ? object.metadata : object;
  return namespace ? `${namespace}/${name}` : `${name}`;
}

export function parseKey(key: string): ObjectKey {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
