/** Owner references: who an object belongs to. Reads and builds values only, never writes to the server. */
import { apiVersionOf, type Kind, type KubeObject, type OwnerReference } from "#kinds";

/** The reference that makes `owner` the one controller of an object, and holds back the owner's foreground deletion. */
export function controllerRef<T extends KubeObject>(kind: Kind<T>, owner: T): OwnerReference {
  return { ...ownerRef(kind, owner), controller: true, blockOwnerDeletion: true };
}

/** A plain reference: the object goes when all its owners are gone. */
export function ownerRef<T extends KubeObject>(kind: Kind<T>, owner: T): OwnerReference {
  const { name, uid } = owner.metadata;
  if (!name || !uid) {
    throw new TypeError(`${kind.kind} "${name ?? ""}" cannot own anything before the server has given it a uid`);
  }
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid };
}

/** The one owner that manages the object, if it has one. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** Whether the object is managed by exactly this owner: the uid decides, because names are used again. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return owner.metadata.uid !== undefined && controllerOf(object)?.uid === owner.metadata.uid;
}

/** Whether two references mean the same object; the version of its API may differ. */
export function sameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return a.uid === b.uid && a.name === b.name && a.kind === b.kind && groupOf(a) === groupOf(b);
}

/** The object with the reference added, or brought up to date; the same object when it already has it. */
export function withOwner<T extends KubeObject>(object: T, owner: OwnerReference): T {
  const owners = object.metadata.ownerReferences ?? [];
  const manager = controllerOf(object);
  if (owner.controller && manager && !sameOwner(manager, owner)) {
    throw new Error(
      `${object.kind} "${object.metadata.name}" is already controlled by ${manager.kind} "${manager.name}": ` +
        `${owner.kind} "${owner.name}" cannot control it too`,
    );
  }
  const at = owners.findIndex((reference) => sameOwner(reference, owner));
  const old = owners[at];
  if (old && old.controller === owner.controller && old.blockOwnerDeletion === owner.blockOwnerDeletion) return object;
  const ownerReferences = old ? owners.with(at, owner) : [...owners, owner];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

/** Whether a reference points at this kind, whichever version of it. */
export function refersTo(reference: OwnerReference, kind: Kind): boolean {
  return reference.kind === kind.kind && groupOf(reference) === kind.group;
}

function groupOf({ apiVersion }: OwnerReference): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
