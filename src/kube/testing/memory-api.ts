/**
 * A small Kubernetes API in memory, for tests of what talks to one: it has no schemas and no network, but real
 * resourceVersions, conflicts, finalizers, watches and faults on command. Never for production.
 */
import { type Clock, VirtualClock } from "#clock";
import { apiVersionOf, type Kind, type KubeObject, type ObjectMeta, wireTime } from "#kinds";
import type {
  Client,
  DeleteOptions,
  Draft,
  List,
  ListOptions,
  ObjectName,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "../client/client.ts";
import { ApiError, isNotFound, OutcomeUnknown } from "../client/errors.ts";
import { ConnectionLost } from "../transport/transport.ts";
import { type Change, deliver, event, isSelected, project, type Selection } from "./memory-selection.ts";
import { MemoryWatch } from "./memory-watch.ts";
import { jsonPatched, mergeDifference, mergePatched, same } from "./patching.ts";

export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete";
interface OpenWatch {
  readonly watch: MemoryWatch<KubeObject>;
  deliver(change: Change): void;
}

export interface MemoryApiOptions {
  readonly clock?: Pick<Clock, "now">;
  /** False: a watch with `sendInitialEvents` is refused with 422; "ignored": as if it had not been asked for, as very old servers do. */
  readonly watchList?: boolean | "ignored";
}

export class MemoryApi implements Client {
  readonly #clock: Pick<Clock, "now">;
  readonly #watchList: boolean | "ignored";
  readonly #objects = new Map<string, KubeObject>();
  readonly #watches = new Set<OpenWatch>();
  readonly #failures: { verb: Verb; error: Error }[] = [];
  #history: Change[] = [];
  #compactedTo = 0;
  #revision = 1;
  #lost = 0;
  #stallNext = false;
  /** Every request in order, as `verb plural key`. */
  readonly requests: string[] = [];

  constructor(options: MemoryApiOptions = {}) {
    this.#clock = options.clock ?? new VirtualClock();
    this.#watchList = options.watchList ?? true;
  }

  /** The next `times` requests of this verb fail so, before anything happens. */
  failNext(verb: Verb, error: Error = new ConnectionLost(`${verb}: connection reset`), times = 1): void {
    for (let i = 0; i < times; i++) this.#failures.push({ verb, error });
  }

  /** The next write happens, and its caller gets OutcomeUnknown. */
  loseNextAnswer(): void {
    this.#lost++;
  }

  /** Forgets all history: a watch from an older resourceVersion gets 410. */
  compact(): void {
    this.#history = [];
    this.#compactedTo = this.#revision;
  }

  cutWatches(error: unknown = new ConnectionLost("watch: connection reset")): void {
    for (const { watch } of this.#takeWatches()) watch.cut(error);
  }

  endWatches(): void {
    for (const { watch } of this.#takeWatches()) watch.end();
  }

  /** Today's watches fall silent for ever; new ones work. */
  stallWatches(): void {
    for (const { watch } of this.#takeWatches()) watch.stall();
  }

  /** The next watch is answered, and then silent for ever. */
  stallNextWatch(): void {
    this.#stallNext = true;
  }

  bookmark(): void {
    this.pushToWatches(this.#bookmark(false));
  }

  /** Makes every open watch say this, true or not. */
  pushToWatches(event: WatchEvent<KubeObject>): void {
    for (const { watch } of this.#watches) watch.push(event);
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  /** What the server holds of a kind, by `namespace/name`. */
  snapshot<T extends KubeObject>(kind: Kind<T>): Record<string, T> {
    const prefix = `${resourceOf(kind)} `;
    const found = [...this.#objects].filter(([id]) => id.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(found.map(([id, object]) => [id.slice(prefix.length), structuredClone(object) as T]));
  }

  /** Puts an object as it is, status and all, past every rule but the resourceVersion's. */
  seed<T extends KubeObject>(kind: Kind<T>, object: Draft<T>): T {
    const whole = this.#whole(kind, object);
    const metadata = { ...whole.metadata, ...object.metadata };
    return this.#commit(idOf(kind, metadata), kind, { ...whole, metadata });
  }

  async get<T extends KubeObject>(kind: Kind<T>, name: ObjectName): Promise<T> {
    return structuredClone(this.#current(kind, this.#begin("get", kind, name), "get"));
  }

  async find<T extends KubeObject>(kind: Kind<T>, name: ObjectName): Promise<T | undefined> {
    return this.get(kind, name).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  }

  async list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<List<T>> {
    this.#begin("list", kind, "");
    const items = this.#select(kind, options).map((object) => project(object, options) as T);
    return { items, metadata: { resourceVersion: `${this.#revision}` } };
  }

  async *pages<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): AsyncGenerator<List<T>> {
    const { items, metadata } = await this.list(kind, options);
    const size = options.pageSize ?? 500;
    for (let at = 0; at === 0 || at < items.length; at += size) {
      const more = at + size < items.length ? { continue: `${at + size}` } : {};
      yield { items: items.slice(at, at + size), metadata: { ...metadata, ...more } };
    }
  }

  async create<T extends KubeObject>(kind: Kind<T>, draft: Draft<T>, options: WriteOptions = {}): Promise<T> {
    const generated = draft.metadata.generateName && `${draft.metadata.generateName}${this.#revision.toString(36)}`;
    const metadata = { ...draft.metadata, ...(draft.metadata.name || !generated ? {} : { name: generated }) };
    const id = this.#begin("create", kind, { name: metadata.name ?? "", ...namespaceOf(metadata) });
    if (this.#objects.has(id)) throw refusal("create", id, 409, "AlreadyExists", "already exists");
    if (metadata.resourceVersion) throw refusal("create", id, 400, "BadRequest", "resourceVersion must not be set");
    const { status: _, ...rest } = draft as Draft<T> & { status?: unknown };
    return this.#answer(id, options, this.#whole(kind, { ...(rest as unknown as Draft<T>), metadata }), kind);
  }

  async update<T extends KubeObject>(kind: Kind<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const { name = "", resourceVersion } = object.metadata;
    const id = this.#begin("update", kind, { name, ...namespaceOf(object.metadata) });
    const before = this.#current(kind, id, "update");
    if (!resourceVersion) throw refusal("update", id, 422, "Invalid", "metadata.resourceVersion: must be specified");
    return this.#answer(id, options, this.#next("update", before, object, options), kind);
  }

  async patch<T extends KubeObject>(
    kind: Kind<T>,
    name: ObjectName,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const id = this.#begin("patch", kind, name);
    if (patch.type === "apply" && !this.#objects.has(id)) {
      return this.#answer(id, options, this.#whole(kind, patch.body as Draft<T>), kind);
    }
    const before = this.#current(kind, id, "patch");
    return this.#answer(id, options, this.#next("patch", before, patched(id, before, patch), options), kind);
  }

  async patchDifference<T extends KubeObject>(kind: Kind<T>, before: T, after: T, options?: WriteOptions): Promise<T> {
    const { resourceVersion } = before.metadata;
    const body = mergeDifference(before, after);
    if (body === undefined) return before;
    const pinned = mergePatched(body, { metadata: { resourceVersion } });
    const { name = "" } = before.metadata;
    return this.patch(kind, { name, ...namespaceOf(before.metadata) }, { type: "merge", body: pinned }, options);
  }

  async apply<T extends KubeObject>(
    kind: Kind<T>,
    object: unknown,
    options: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ): Promise<T> {
    const { name = "", ...metadata } = (object as T).metadata;
    return this.patch(kind, { name, ...namespaceOf(metadata) }, { type: "apply", body: object }, options);
  }

  async delete<T extends KubeObject>(kind: Kind<T>, name: ObjectName, options: DeleteOptions = {}): Promise<void> {
    const id = this.#begin("delete", kind, name);
    const { metadata, ...rest } = this.#current(kind, id, "delete");
    const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = options.preconditions ?? {};
    if (uid !== metadata.uid || resourceVersion !== metadata.resourceVersion) {
      throw refusal("delete", id, 409, "Conflict", "the preconditions do not hold");
    }
    if (!metadata.finalizers?.length) this.#answer(id, options, undefined, kind);
    else if (!metadata.deletionTimestamp) {
      const marks = { deletionTimestamp: wireTime(this.#clock.now()), generation: (metadata.generation ?? 0) + 1 };
      this.#answer(id, options, { ...rest, metadata: { ...metadata, ...marks } } as T, kind);
    }
  }

  async *watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    this.#begin("watch", kind, "");
    const open = this.#open(kind, options);
    if (this.#stallNext) open.watch.stall();
    else this.#watches.add(open);
    this.#stallNext = false;
    try {
      yield* open.watch.events(options.signal) as AsyncGenerator<WatchEvent<T>, void>;
    } finally {
      this.#watches.delete(open);
    }
  }

  async raw(method: "GET" | "POST", path: string): Promise<unknown> {
    throw refusal(method, path, 404, "NotFound", "the in-memory API answers no raw requests");
  }

  #open(kind: Kind, options: WatchOptions): OpenWatch {
    const { resourceVersion = "0", sendInitialEvents = false } = options;
    const from = Number(resourceVersion);
    if (sendInitialEvents && !this.#watchList) {
      throw refusal("watch", kind.plural, 422, "Invalid", "sendInitialEvents: Forbidden");
    }
    const watch = new MemoryWatch<KubeObject>(options.onActivity);
    const open = { watch, deliver: (change: Change) => deliver(change, resourceOf(kind), options, watch) };
    if (sendInitialEvents || from === 0) {
      for (const object of this.#select(kind, options)) watch.push(event("ADDED", object, options));
    } else if (from < this.#compactedTo) {
      throw refusal("watch", kind.plural, 410, "Expired", `too old resource version: ${from} (${this.#compactedTo})`);
    } else for (const change of this.#history) if (change.revision > from) open.deliver(change);
    if (sendInitialEvents && this.#watchList === true) watch.push(this.#bookmark(true));
    return open;
  }

  #bookmark(initialEventsEnd: boolean): WatchEvent<never> {
    return { type: "BOOKMARK", resourceVersion: `${this.#revision}`, initialEventsEnd };
  }

  #takeWatches(): OpenWatch[] {
    const taken = [...this.#watches];
    this.#watches.clear();
    return taken;
  }

  #begin(verb: Verb, kind: Kind, name: ObjectName): string {
    const id = idOf(kind, typeof name === "string" ? { name } : name);
    this.requests.push(`${verb} ${id}`.trim());
    const at = this.#failures.findIndex((failure) => failure.verb === verb);
    const [failure] = at < 0 ? [] : this.#failures.splice(at, 1);
    if (failure) throw failure.error;
    return id;
  }

  #current<T extends KubeObject>(_kind: Kind<T>, id: string, verb: Verb): T {
    const found = this.#objects.get(id);
    if (!found) throw refusal(verb, id, 404, "NotFound", "not found");
    return found as T;
  }

  #select(kind: Kind, selection: Selection): KubeObject[] {
    return Object.values(this.snapshot(kind)).filter((object) => isSelected(object, selection));
  }

  /** A new object as the server completes it. */
  #whole<T extends KubeObject>(kind: Kind<T>, draft: Draft<T>): T {
    const uid = `00000000-0000-4000-8000-${(this.#revision + 1).toString().padStart(12, "0")}`;
    const stamps = { uid, generation: 1, creationTimestamp: wireTime(this.#clock.now()) };
    const names = { apiVersion: apiVersionOf(kind), kind: kind.kind };
    return { ...draft, ...names, metadata: { ...draft.metadata, ...stamps } } as unknown as T;
  }

  /** What a write makes of the object: status and the rest go separate ways, stamps stay the server's. */
  #next<T extends KubeObject>(verb: Verb, before: T, wanted: T, options: WriteOptions): T {
    const { resourceVersion, uid } = wanted.metadata;
    const old = before.metadata;
    if ((resourceVersion && resourceVersion !== old.resourceVersion) || (uid && uid !== old.uid)) {
      throw refusal(
        verb,
        old.name ?? "",
        409,
        "Conflict",
        "the object has been modified; apply your changes to the latest",
      );
    }
    const { status, ...spec } = wanted as T & { status?: unknown };
    if (options.subresource === "status") return { ...before, status, metadata: old };
    const { status: kept } = before as T & { status?: unknown };
    const { deletionTimestamp, uid: _u, resourceVersion: rv, generation = 1, creationTimestamp } = old;
    const stamps = defined({ uid: old.uid, resourceVersion: rv, generation, creationTimestamp, deletionTimestamp });
    const next = {
      ...spec,
      ...(kept === undefined ? {} : { status: kept }),
      metadata: { ...spec.metadata, ...stamps },
    };
    const respecified = !same({ ...next, metadata: 0 }, { ...before, metadata: 0 });
    return (respecified
      ? { ...next, metadata: { ...next.metadata, generation: generation + 1 } }
      : next) as unknown as T;
  }

  /** Makes a write happen unless it is a dry run, and loses its answer when a test asked for that. */
  #answer<T extends KubeObject>(
    id: string,
    options: DeleteOptions | WriteOptions,
    next: T | undefined,
    kind: Kind<T>,
  ): T {
    const gone = next?.metadata.deletionTimestamp && !next.metadata.finalizers?.length;
    const result = options.dryRun ? (next as T) : this.#commit(id, kind, gone ? undefined : next);
    if (this.#lost === 0) return structuredClone(result);
    this.#lost--;
    throw new OutcomeUnknown(`write ${id}`, new ConnectionLost("the connection closed before the answer"));
  }

  #commit<T extends KubeObject>(id: string, kind: Kind<T>, next: T | undefined): T {
    const before = this.#objects.get(id);
    if (before && next && same(before, next)) return before as T;
    const revision = ++this.#revision;
    const after = next && (structuredClone(next) as T);
    if (after) {
      after.metadata.resourceVersion = `${revision}`;
      this.#objects.set(id, after);
    } else this.#objects.delete(id);
    const change: Change = { revision, resource: resourceOf(kind), before, after };
    this.#history.push(change);
    for (const open of this.#watches) open.deliver(change);
    return (after ?? before) as T;
  }
}

const resourceOf = (kind: Kind): string => (kind.group ? `${kind.plural}.${kind.group}` : kind.plural);
const namespaceOf = ({ namespace }: ObjectMeta) => (namespace ? { namespace } : {});
const defined = (fields: Record<string, unknown>): ObjectMeta =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function idOf(kind: Kind, { name = "", namespace }: Pick<ObjectMeta, "name" | "namespace">): string {
  if (name && (kind.scope === "Namespaced") !== Boolean(namespace)) {
    throw new TypeError(`${kind.kind} "${name}" is ${kind.scope.toLowerCase()}: namespace ${namespace ?? "missing"}`);
  }
  return `${resourceOf(kind)} ${namespace ? `${namespace}/` : ""}${name}`;
}

// biome-ignore lint/complexity/useMaxParams: a refusal is these five words
function refusal(verb: string, on: string, code: number, reason: string, why: string): ApiError {
  const details = { name: on.slice(on.search(/[^ /]*$/)) };
  return new ApiError(`${verb} ${on}`, code, {
    kind: "Status",
    status: "Failure",
    code,
    reason,
    message: why,
    details,
  });
}

function patched<T extends KubeObject>(id: string, before: T, patch: Patch): T {
  if (patch.type !== "json") return mergePatched(before, patch.body) as T;
  try {
    return jsonPatched(before, patch.operations);
  } catch (error) {
    throw refusal("patch", id, 422, "Invalid", (error as Error).message);
  }
}
