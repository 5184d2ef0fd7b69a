/**
 * Finalizers: an object is not gone before those who look after it agree. Added and removed by compare-and-swap,
 * because a list is replaced as a whole and a blind write would take another writer's finalizer along.
 */
import type { Kind, KubeObject } from "#kinds";
import type { CallOptions, Client } from "../client/client.ts";

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

export function isBeingDeleted(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** The object with the finalizer; the same object when it has it, or is being deleted and may get no new ones. */
export function withFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer) || isBeingDeleted(object)) return object;
  return withFinalizers(object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** The object without the finalizer; the same object when it has none. */
export function withoutFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  return withFinalizers(object, object.metadata.finalizers?.filter((f) => f !== finalizer) ?? []);
}

/** Adds the finalizer on the server; refused with Conflict when the object changed since it was read. */
export function addFinalizer<T extends KubeObject>(
  client: Client,
  [kind, object]: readonly [Kind<T>, T],
  finalizer: string,
  options?: CallOptions,
): Promise<T> {
  return client.patchDifference(kind, object, withFinalizer(object, finalizer), options);
}

/** Removes the finalizer on the server; refused with Conflict when the object changed since it was read. */
export function removeFinalizer<T extends KubeObject>(
  client: Client,
  [kind, object]: readonly [Kind<T>, T],
  finalizer: string,
  options?: CallOptions,
): Promise<T> {
  return client.patchDifference(kind, object, withoutFinalizer(object, finalizer), options);
}

function withFinalizers<T extends KubeObject>(object: T, finalizers: string[]): T {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
