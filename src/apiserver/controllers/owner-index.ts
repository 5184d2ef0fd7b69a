/** Who depends on whom, by UID, kept up to date from the changes of the store. */
import type { KubeObject } from "#kinds";
import type { Change } from "../store/index.ts";

export class OwnerIndex {
  readonly #keys = new Map<string, string>();
  readonly #dependents = new Map<string, Set<string>>();

  /** Where the object with this UID is stored; undefined when there is none. */
  keyOf(uid: string): string | undefined {
    return this.#keys.get(uid);
  }

  /** The keys of the objects that name this UID as an owner. */
  dependentsOf(uid: string): string[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }

  add(key: string, object: KubeObject): void {
    if (object.metadata.uid) this.#keys.set(object.metadata.uid, key);
    for (const owner of ownersOf(object)) {
      const dependents = this.#dependents.get(owner) ?? new Set();
      this.#dependents.set(owner, dependents.add(key));
    }
  }

  apply({ type, entry, previous }: Change): void {
    if (previous) this.#removeOwners(entry.key, previous.object);
    if (type !== "DELETED") this.add(entry.key, entry.object);
    else if (entry.object.metadata.uid) this.#keys.delete(entry.object.metadata.uid);
  }

  #removeOwners(key: string, object: KubeObject): void {
    for (const owner of ownersOf(object)) {
      const dependents = this.#dependents.get(owner);
      dependents?.delete(key);
      if (dependents?.size === 0) this.#dependents.delete(owner);
    }
  }
}

export function ownersOf({ metadata }: KubeObject): string[] {
  return (metadata.ownerReferences ?? []).map((owner) => owner.uid);
}
