/** DELETE of one object or of a selection: at once, or marked until its finalizers are gone. */
import { type KubeObject, wireTime } from "#kinds";
import type { ApiResponse } from "../http/message.ts";
import { conflict, forbidden, notFound, success } from "../http/status-error.ts";
import { type Entry, resourceOf, WriteConflict } from "../store/index.ts";
import type { Call, Environment } from "./call.ts";
import { type DeleteOptions, deleteOptions, type Propagation } from "./delete-options.ts";
import { listOptions } from "./list-options.ts";
import { readPage } from "./read.ts";
import { keyOf, type Resource, type Strategy } from "./resource.ts";
import { respondList, respondObject, respondValue } from "./respond.ts";
import { served, stored } from "./stored-form.ts";

export const ORPHAN_FINALIZER = "orphan";
export const FOREGROUND_FINALIZER = "foregroundDeletion";
const PROTECTED_NAMESPACES: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** What a deletion came to: the object if something is left to wait for, undefined if it is gone. */
export interface Deletion {
  readonly last: KubeObject;
  readonly waits: boolean;
}

export async function deleteOne(call: Call, environment: Environment): Promise<ApiResponse> {
  const { resource, info } = call;
  const options = deleteOptions(call);
  refuseProtected(call);
  const { last, waits } = await remove(call, environment, info.name, options);
  if (waits || resource.strategy.returnsDeleted) return respondObject(call, environment, 200, last);
  return respondValue(call, 200, success(resource, info.name, last.metadata.uid));
}

export async function deleteCollection(call: Call, environment: Environment): Promise<ApiResponse> {
  const options = deleteOptions(call);
  const page = readPage(call, environment.store, listOptions(call));
  for (const { object } of page.entries) {
    const { name = "", namespace = "" } = object.metadata;
    const one: Call = { ...call, info: { ...call.info, namespace, name } };
    await remove(one, environment, name, options).catch(ignoreGone);
  }
  return respondList(call, environment, page);
}

function ignoreGone(error: unknown): void {
  if ((error as { code?: number }).code !== 404) throw error;
}

function refuseProtected({ resource, info }: Call): void {
  if (resource.storage === "core/namespaces" && PROTECTED_NAMESPACES.has(info.name)) {
    throw forbidden(resource, info.name, "this namespace may not be deleted");
  }
}

/** Deletes, or marks for deletion, and repeats when another writer was faster. */
export async function remove(
  call: Call,
  environment: Environment,
  name: string,
  options: DeleteOptions,
): Promise<Deletion> {
  const { resource, info } = call;
  const key = keyOf(resource, info.namespace, name);
  for (;;) {
    const current = environment.store.head(key);
    if (!current) throw notFound(resource, name);
    checkPreconditions(call, current.object, options);
    const old = served(current.object, resource);
    await environment.admission.validate({ call, operation: "DELETE", object: undefined, old, dryRun: options.dryRun });
    try {
      return await removeVersion(environment, resource, current, options);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}

/** A deletion made by the server itself: no preconditions but the identity of the object, and nobody is asked. */
export async function removeStored(
  environment: Environment,
  key: string,
  uid: string | undefined,
  propagation: Propagation = "Background",
): Promise<void> {
  const resource = environment.registry.findStorage(resourceOf(key));
  if (!resource) return;
  const options: DeleteOptions = {
    uid,
    resourceVersion: undefined,
    propagation,
    orphanDependents: undefined,
    dryRun: false,
  };
  for (;;) {
    const current = environment.store.head(key);
    if (!current || (uid !== undefined && current.object.metadata.uid !== uid)) return;
    try {
      await removeVersion(environment, resource, current, options);
      return;
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}

async function removeVersion(
  { store, clock }: Environment,
  resource: Resource,
  current: Entry,
  options: DeleteOptions,
): Promise<Deletion> {
  const { strategy } = resource;
  const finalizers = finalizersAfter(current.object, options);
  if (finalizers.length === 0 && !strategy.isHeld?.(current.object)) {
    if (!options.dryRun) await store.delete(current.key, current);
    return { last: current.object, waits: false };
  }
  const marked = stored(mark(current.object, finalizers, strategy, clock.now()), resource);
  if (options.dryRun || JSON.stringify(marked) === current.json) return { last: marked, waits: true };
  return { last: (await store.put(current.key, current, marked)).object, waits: true };
}

/** The finalizers an object has once its deletion was asked for with these options. */
function finalizersAfter({ metadata }: KubeObject, { propagation, orphanDependents }: DeleteOptions): string[] {
  const current = metadata.finalizers ?? [];
  const others = current.filter((f) => f !== ORPHAN_FINALIZER && f !== FOREGROUND_FINALIZER);
  const policy =
    propagation ?? (orphanDependents === undefined ? undefined : orphanDependents ? "Orphan" : "Background");
  if (policy === undefined) return current;
  if (policy === "Orphan") return [...others, ORPHAN_FINALIZER];
  return policy === "Foreground" ? [...others, FOREGROUND_FINALIZER] : others;
}

function mark(object: KubeObject, finalizers: string[], strategy: Strategy, now: Date): KubeObject {
  const { finalizers: _, ...metadata } = object.metadata;
  const marked = structuredClone({
    ...object,
    metadata: { ...metadata, ...(finalizers.length > 0 && { finalizers }) },
  });
  if (metadata.deletionTimestamp) return marked;
  marked.metadata.deletionTimestamp = wireTime(now);
  if (strategy.markDeleted) {
    strategy.markDeleted(marked, now);
    return marked;
  }
  marked.metadata.deletionGracePeriodSeconds = 0;
  if (metadata.generation) marked.metadata.generation = metadata.generation + 1;
  return marked;
}

function checkPreconditions(
  { resource }: Call,
  { metadata }: KubeObject,
  { uid, resourceVersion }: DeleteOptions,
): void {
  const about = { group: resource.group, plural: resource.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(about, metadata.name ?? "", why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(about, metadata.name ?? "", why);
  }
}
