/** Deletes what lost its last owner, and carries out orphan and foreground deletion. Trusts only what is stored. */
import type { KubeObject, OwnerReference } from "#kinds";
import type { Environment } from "../rest/call.ts";
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, removeStored } from "../rest/delete.ts";
import { modify } from "../rest/modify.ts";
import type { Change } from "../store/index.ts";
import type { Background } from "./background.ts";
import { KeyQueue } from "./key-queue.ts";
import { OwnerIndex, ownersOf } from "./owner-index.ts";

type OwnerState = "solid" | "waiting" | "dangling" | "unknown";

export class GarbageCollector {
  readonly #environment: Environment;
  readonly #queue: KeyQueue;
  readonly #index = new OwnerIndex();

  constructor(environment: Environment, background: Background) {
    this.#environment = environment;
    this.#queue = new KeyQueue(background, "collect garbage", (key) => this.#examine(key));
  }

  start(): () => void {
    const { store } = this.#environment;
    for (const resource of store.resources()) {
      for (const { key, object } of store.range(resource, `${resource}/`)) this.#index.add(key, object);
    }
    for (const resource of store.resources()) {
      for (const { key, object } of store.range(resource, `${resource}/`))
        if (isInteresting(object)) this.#queue.add(key);
    }
    return store.subscribeAll((change) => this.#onChange(change));
  }

  #onChange(change: Change): void {
    const { type, entry } = change;
    this.#index.apply(change);
    if (type !== "DELETED") {
      if (isInteresting(entry.object)) this.#queue.add(entry.key);
      return;
    }
    for (const key of this.#index.dependentsOf(entry.object.metadata.uid ?? "")) this.#queue.add(key);
    // Its owners may have waited for it.
    for (const uid of ownersOf(entry.object)) {
      const key = this.#index.keyOf(uid);
      if (key) this.#queue.add(key);
    }
  }

  async #examine(key: string): Promise<void> {
    const object = this.#environment.store.get(key)?.object;
    if (!object) return;
    if (object.metadata.deletionTimestamp) await this.#finishDeletion(key, object);
    else if (object.metadata.ownerReferences?.length) await this.#checkOwners(key, object);
  }

  async #finishDeletion(key: string, object: KubeObject): Promise<void> {
    const finalizers = object.metadata.finalizers ?? [];
    if (finalizers.includes(ORPHAN_FINALIZER)) await this.#orphan(key, object);
    else if (finalizers.includes(FOREGROUND_FINALIZER)) await this.#deleteInForeground(key, object);
  }

  async #orphan(key: string, { metadata }: KubeObject): Promise<void> {
    for (const dependent of this.#index.dependentsOf(metadata.uid ?? "")) {
      await this.#dropOwners(dependent, (owner) => owner.uid === metadata.uid);
    }
    await this.#dropFinalizer(key, ORPHAN_FINALIZER);
  }

  /** The dependents that block go first; the others follow once their owner is gone. */
  async #deleteInForeground(key: string, { metadata }: KubeObject): Promise<void> {
    const { store } = this.#environment;
    const blocking = this.#index.dependentsOf(metadata.uid ?? "").filter((k) => this.#blocks(k, metadata.uid));
    for (const dependent of blocking) {
      const found = store.get(dependent)?.object;
      if (found && !found.metadata.deletionTimestamp) await this.#checkOwners(dependent, found);
    }
    if (!blocking.some((k) => this.#blocks(k, metadata.uid))) await this.#dropFinalizer(key, FOREGROUND_FINALIZER);
  }

  #blocks(key: string, uid: string | undefined): boolean {
    const owners = this.#environment.store.get(key)?.object.metadata.ownerReferences ?? [];
    return owners.some((o) => o.uid === uid && o.blockOwnerDeletion);
  }

  async #checkOwners(key: string, object: KubeObject): Promise<void> {
    const owners = object.metadata.ownerReferences ?? [];
    const states = new Map(owners.map((owner) => [owner.uid, this.#stateOf(owner, object)]));
    const all = [...states.values()];
    if (all.includes("unknown") || all.every((s) => s === "solid")) return;
    if (all.includes("solid")) {
      await this.#dropOwners(key, (owner) => states.get(owner.uid) !== "solid");
      return;
    }
    const hasDependents = this.#index.dependentsOf(object.metadata.uid ?? "").length > 0;
    const policy = all.includes("waiting") && hasDependents ? "Foreground" : "Background";
    await removeStored(this.#environment, key, object.metadata.uid, policy);
  }

  #stateOf(owner: OwnerReference, dependent: KubeObject): OwnerState {
    const { registry, store } = this.#environment;
    const group = owner.apiVersion.includes("/") ? (owner.apiVersion.split("/")[0] ?? "") : "";
    const resource = registry.findKind(group, owner.kind);
    if (!resource) return "unknown";
    const found = this.#index.keyOf(owner.uid);
    const object = found ? store.get(found)?.object : undefined;
    if (!found || !object || object.metadata.name !== owner.name || !found.startsWith(`${resource.storage}/`))
      return "dangling";
    if (resource.scope === "Namespaced" && object.metadata.namespace !== dependent.metadata.namespace)
      return "dangling";
    const isWaiting = object.metadata.deletionTimestamp && object.metadata.finalizers?.includes(FOREGROUND_FINALIZER);
    return isWaiting ? "waiting" : "solid";
  }

  async #dropOwners(key: string, isDropped: (owner: OwnerReference) => boolean): Promise<void> {
    await modify(this.#environment.store, key, (object) => {
      const { ownerReferences = [], ...metadata } = object.metadata;
      const kept = ownerReferences.filter((owner) => !isDropped(owner));
      if (kept.length === ownerReferences.length) return undefined;
      return { ...object, metadata: { ...metadata, ...(kept.length > 0 && { ownerReferences: kept }) } };
    });
  }

  async #dropFinalizer(key: string, finalizer: string): Promise<void> {
    const { store } = this.#environment;
    const left = await modify(store, key, (object) => {
      const { finalizers = [], ...metadata } = object.metadata;
      if (!finalizers.includes(finalizer)) return undefined;
      const kept = finalizers.filter((f) => f !== finalizer);
      return { ...object, metadata: { ...metadata, ...(kept.length > 0 && { finalizers: kept }) } };
    });
    if (left && !left.object.metadata.finalizers?.length) {
      await removeStored(this.#environment, key, left.object.metadata.uid);
    }
  }
}

/** Objects with owners, and those whose deletion waits for the collector. */
function isInteresting({ metadata }: KubeObject): boolean {
  if (metadata.deletionTimestamp) {
    return (metadata.finalizers ?? []).some((f) => f === ORPHAN_FINALIZER || f === FOREGROUND_FINALIZER);
  }
  return (metadata.ownerReferences?.length ?? 0) > 0;
}
