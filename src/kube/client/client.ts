/** The words in which every other room talks to a Kubernetes API. */
import type { Kind, KubeObject, ListMeta, ObjectKey } from "#kinds";
import type { Priority } from "../transport/transport.ts";

/** A cluster-scoped object's name, or name and namespace. */
export type ObjectName = string | ObjectKey;

/** Every call ends by itself: after `timeoutMs` (30 s unless said otherwise), or when `signal` is aborted. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly priority?: Priority;
}

export interface ReadOptions extends CallOptions {
  readonly resourceVersion?: string;
}

export interface ListOptions extends CallOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
  /** Objects per request; 500 unless said otherwise. */
  readonly pageSize?: number;
  /** Only `metadata` is transferred and returned. */
  readonly metadataOnly?: boolean;
}

export interface WatchOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  /** Asks for the existing objects as ADDED events and a bookmark after them (WatchList). */
  readonly sendInitialEvents?: boolean;
  /** Asks the server to end the watch after this long. */
  readonly timeoutSeconds?: number;
  readonly metadataOnly?: boolean;
  readonly signal: AbortSignal;
  /** Called when the answer begins and for every chunk of bytes that arrives, so that a watchdog can tell quiet from dead. */
  readonly onActivity?: () => void;
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
  readonly subresource?: "status" | "scale";
}

export interface DeleteOptions extends CallOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

export type Patch =
  | { readonly type: "json"; readonly operations: readonly JsonPatchOperation[] }
  | { readonly type: "merge"; readonly body: unknown }
  /** Server-side apply; `fieldManager` is required among the options. */
  | { readonly type: "apply"; readonly body: unknown; readonly force?: boolean };

export interface List<T> {
  readonly items: T[];
  readonly metadata: ListMeta;
}

export type WatchEvent<T> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** An object to be created: the client fills in `apiVersion` and `kind`. */
export type Draft<T extends KubeObject> = Omit<T, "apiVersion" | "kind"> & Partial<Pick<T, "apiVersion" | "kind">>;

/** A warning header the API server sent along with an answer. */
export type WarningHandler = (warning: string) => void;

/**
 * A typed client. Refusals by the server are thrown as `ApiError` (branch with `isNotFound` and its like); a write whose
 * answer was lost is thrown as `OutcomeUnknown`. By itself it repeats only reads and writes that carry a precondition.
 */
export interface Client {
  get<T extends KubeObject>(kind: Kind<T>, name: ObjectName, options?: ReadOptions): Promise<T>;
  /** Like `get`, but undefined when the server itself says there is no such object. */
  find<T extends KubeObject>(kind: Kind<T>, name: ObjectName, options?: ReadOptions): Promise<T | undefined>;
  /** All pages together. */
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>>;
  pages<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): AsyncIterable<List<T>>;
  create<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options?: WriteOptions): Promise<T>;
  /** Compare-and-swap: refused with Conflict unless `metadata.resourceVersion` is still the current one. */
  update<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(kind: Kind<T>, name: ObjectName, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Sends the difference between two states as a merge patch that carries `before`'s resourceVersion; nothing when there is none. */
  patchDifference<T extends KubeObject>(kind: Kind<T>, before: T, after: T, options?: WriteOptions): Promise<T>;
  /** Server-side apply. */
  apply<T extends KubeObject>(
    kind: Kind<T>,
    object: unknown,
    options: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ): Promise<T>;
  delete<T extends KubeObject>(kind: Kind<T>, name: ObjectName, options?: DeleteOptions): Promise<void>;
  /** One watch request, decoded; ends when the server ends it, throws `ApiError` for an ERROR event. */
  watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** For what has no kind: health, version, reviews. */
  raw(method: "GET" | "POST", path: string, body?: unknown, options?: CallOptions): Promise<unknown>;
}
