/** PUT, and the common end of every change to an existing object. */
import type { KubeObject } from "#kinds";
import { invalid } from "../field-error.ts";
import type { ApiResponse } from "../http/message.ts";
import { badRequest, conflict, modified, notFound, StatusError } from "../http/status-error.ts";
import { equalJson } from "../schema/index.ts";
import { type Entry, WriteConflict } from "../store/index.ts";
import { readObject } from "./body.ts";
import type { Call, Environment } from "./call.ts";
import { createObject } from "./create.ts";
import { invalidObject } from "./invalid-object.ts";
import { settleTimes, trackWrite } from "./managed.ts";
import { validateMetaUpdate } from "./object-meta.ts";
import { keyOf, type Resource, type WriteContext } from "./resource.ts";
import { respondObject } from "./respond.ts";
import { served, stored } from "./stored-form.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

/** Makes the desired object from the current one, which it may not change; called again after a lost race. */
export type Change = (current: KubeObject) => KubeObject | Promise<KubeObject>;

export interface Changed {
  readonly object: KubeObject;
  readonly created: boolean;
}

export async function update(call: Call, environment: Environment): Promise<ApiResponse> {
  const options = writeOptions(call, "UpdateOptions");
  const object = readObject(call, options.fieldValidation);
  nameFromUrl(call, object);
  const changed = await put(call, environment, object, options);
  return respondObject(call, environment, changed.created ? 201 : 200, changed.object);
}

/** The name and namespace of the URL hold; an object that says otherwise is refused. */
export function nameFromUrl({ info, resource }: Call, { metadata }: KubeObject): void {
  if (metadata.name && metadata.name !== info.name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${info.name})`);
  }
  metadata.name = info.name;
  if (resource.scope !== "Namespaced") return;
  if (metadata.namespace && metadata.namespace !== info.namespace) {
    throw badRequest(
      `the namespace of the object (${metadata.namespace}) does not match the namespace on the request (${info.namespace})`,
    );
  }
  metadata.namespace = info.namespace;
}

async function put(call: Call, environment: Environment, object: KubeObject, options: WriteOptions): Promise<Changed> {
  const { resource, info } = call;
  const key = keyOf(resource, info.namespace, info.name);
  if (!environment.store.head(key) && info.subresource === "" && resource.strategy.createsOnUpdate) {
    delete object.metadata.resourceVersion;
    return { object: await createObject(call, environment, object, options), created: true };
  }
  if (!object.metadata.resourceVersion && environment.store.head(key)) refuseUnconditional(call);
  const changed = await change(call, environment, options, (current) => {
    checkUid(call, current, object);
    return structuredClone(object);
  });
  return { object: changed, created: false };
}

function refuseUnconditional({ resource, info }: Call): void {
  if (resource.strategy.overwritesUnconditionally) return;
  throw invalidObject({ group: resource.group, kind: resource.plural }, info.name, [
    invalid("metadata.resourceVersion", 0, "must be specified for an update"),
  ]);
}

/** Reads, changes, judges and writes one object; repeats when another writer was faster and nobody minds. */
export async function change(
  call: Call,
  environment: Environment,
  options: WriteOptions,
  makeDesired: Change,
): Promise<KubeObject> {
  const { resource, info } = call;
  const key = keyOf(resource, info.namespace, info.name);
  for (;;) {
    const current = environment.store.head(key);
    if (!current) throw notFound(resource, info.name);
    const desired = await makeDesired(served(current.object, resource));
    checkVersion(call, current.object, desired);
    try {
      return await replace(call, environment, { current, desired, options });
    } catch (error) {
      // Once more on the new version; a desired state that names the old one is then refused as outdated.
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}

/** A PUT names the object it means; for a patch the same difference is a change of an immutable field. */
function checkUid({ resource, info }: Call, current: KubeObject, { metadata }: KubeObject): void {
  if (!metadata.uid || metadata.uid === current.metadata.uid) return;
  const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${current.metadata.uid}`;
  throw conflict(resource, info.name, why);
}

function checkVersion({ resource, info }: Call, current: KubeObject, { metadata }: KubeObject): void {
  const { resourceVersion: version } = metadata;
  if (!version || version === current.metadata.resourceVersion) return;
  if (/^\d+$/.test(version)) throw modified(resource, info.name);
  throw new StatusError(500, "", `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
}

interface Replacement {
  readonly current: Entry;
  readonly desired: KubeObject;
  readonly options: WriteOptions;
}

async function replace(
  call: Call,
  { store, clock, admission }: Environment,
  { current, desired, options }: Replacement,
): Promise<KubeObject> {
  const { resource, user, info } = call;
  const now = clock.now();
  const old = served(current.object, resource);
  const context: WriteContext = { user, now, subresource: info.subresource };
  carryOver(desired, old);
  resource.strategy.applyDefaults(desired);
  resource.strategy.prepareForUpdate(desired, old, context);
  const attributes = { call, operation: "UPDATE", object: desired, old, dryRun: options.dryRun } as const;
  const mutated = await admission.mutate(attributes);
  if (mutated !== desired) resource.strategy.prepareForUpdate(mutated, old, context);
  const writer = { manager: options.manager, subresource: info.subresource, now };
  const tracked = settleTimes(options.isApply ? mutated : trackWrite(old, mutated, resource, writer), old);
  refuseInvalid(call, tracked, old, context);
  await admission.validate({ ...attributes, object: tracked });
  const final = stored(tracked, resource);
  if (options.dryRun) return final;
  if (equalJson(final, current.object)) return current.object;
  if (isFinished(final, resource)) {
    await store.delete(current.key, current);
    return final;
  }
  return (await store.put(current.key, current, final)).object;
}

/** What no update may change. */
function carryOver({ metadata }: KubeObject, { metadata: old }: KubeObject): void {
  metadata.uid ||= old.uid ?? "";
  const fields = ["generation", "creationTimestamp", "resourceVersion"] as const;
  for (const field of fields) Object.assign(metadata, old[field] === undefined ? {} : { [field]: old[field] });
  if (old.generation === undefined) delete metadata.generation;
  if (old.deletionTimestamp) metadata.deletionTimestamp = old.deletionTimestamp;
  else delete metadata.deletionTimestamp;
  if (old.deletionGracePeriodSeconds === undefined) delete metadata.deletionGracePeriodSeconds;
  else metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
}

/** Marked for deletion, and nobody has anything left to do: it goes with this write. */
function isFinished(object: KubeObject, { strategy }: Resource): boolean {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  return Boolean(deletionTimestamp) && finalizers.length === 0 && !strategy.isHeld?.(object);
}

function refuseInvalid({ resource, warnings }: Call, object: KubeObject, old: KubeObject, context: WriteContext): void {
  const errors = [...validateMetaUpdate(object, old), ...resource.strategy.validate(object, old, context)];
  if (errors.length > 0) throw invalidObject(resource, object.metadata.name ?? "", errors);
  warnings.push(...resource.strategy.warnings(object, old));
}
