/** POST: makes a new object out of a body. */
import { type KubeObject, wireTime } from "#kinds";
import type { ApiResponse } from "../http/message.ts";
import { alreadyExists, badRequest, methodUnknown, notFound, StatusError } from "../http/status-error.ts";
import { WriteConflict } from "../store/index.ts";
import { readObject } from "./body.ts";
import type { Call, Environment } from "./call.ts";
import { invalidObject } from "./invalid-object.ts";
import { trackWrite } from "./managed.ts";
import { generateName, generateUid } from "./names.ts";
import { checkNamespace } from "./namespace-check.ts";
import { validateMeta } from "./object-meta.ts";
import { keyOf } from "./resource.ts";
import { respondObject } from "./respond.ts";
import { stored } from "./stored-form.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

/** Upstream tries a made-up name this often before it gives up. */
const NAME_ATTEMPTS = 8;

export async function create(call: Call, environment: Environment): Promise<ApiResponse> {
  const { info, resource } = call;
  // Upstream's handler of custom resources does not look at the name in the URL.
  const isNamed = info.name !== "" && resource.builtIn;
  if (isNamed || (resource.scope === "Namespaced") !== (info.namespace !== "")) throw methodUnknown();
  const options = writeOptions(call, "CreateOptions");
  const object = readObject(call, options.fieldValidation);
  return respondObject(call, environment, 201, await createObject(call, environment, object, options));
}

/** Creates a decoded object; also used by updates and applies that find nothing to change. */
export async function createObject(
  call: Call,
  environment: Environment,
  object: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const { metadata } = object;
  if (metadata.resourceVersion) {
    throw new StatusError(500, "", "resourceVersion should not be set on objects to be created");
  }
  placeInNamespace(call, object);
  const generated = !metadata.name && metadata.generateName;
  for (let attempt = 1; ; attempt++) {
    if (generated) metadata.name = generateName(generated, environment.random);
    try {
      return await tryCreate(call, environment, structuredCloneOf(object, Boolean(generated)), options);
    } catch (error) {
      if (!generated || attempt >= NAME_ATTEMPTS || !isAlreadyExists(error)) throw error;
    }
  }
}

function isAlreadyExists(error: unknown): boolean {
  return error instanceof StatusError && error.body.reason === "AlreadyExists";
}

function structuredCloneOf(object: KubeObject, needed: boolean): KubeObject {
  return needed ? structuredClone(object) : object;
}

function placeInNamespace({ info, resource }: Call, { metadata }: KubeObject): void {
  if (resource.scope === "Cluster") return;
  if (metadata.namespace && metadata.namespace !== info.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  metadata.namespace = info.namespace;
}

async function tryCreate(
  call: Call,
  environment: Environment,
  object: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const { resource, user } = call;
  const { store, clock, admission } = environment;
  const now = clock.now();
  const context = { user, now, subresource: "" };
  stampNew(object, environment);
  resource.strategy.applyDefaults(object);
  resource.strategy.prepareForCreate(object, context);
  checkNamespace(call, environment, object.metadata.name ?? "");
  const attributes = { call, operation: "CREATE", object, old: undefined, dryRun: options.dryRun } as const;
  const mutated = await admission.mutate(attributes);
  const writer = { manager: options.manager, subresource: "", now };
  const tracked = options.isApply ? mutated : trackWrite(undefined, mutated, resource, writer);
  refuseInvalid(call, tracked, context);
  await admission.validate({ ...attributes, object: tracked });
  const name = tracked.metadata.name ?? "";
  const key = keyOf(resource, tracked.metadata.namespace ?? "", name);
  const final = stored(tracked, resource);
  if (options.dryRun) {
    if (store.get(key)) throw alreadyExists(resource, name);
    return final;
  }
  return putNew(call, environment, key, final);
}

async function putNew(
  { resource }: Call,
  { store }: Environment,
  key: string,
  object: KubeObject,
): Promise<KubeObject> {
  try {
    return (await store.put(key, undefined, object)).object;
  } catch (error) {
    if (error instanceof WriteConflict) throw alreadyExists(resource, object.metadata.name ?? "");
    throw error;
  }
}

function stampNew({ metadata }: KubeObject, { clock, random }: Environment): void {
  for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "generation"]) {
    delete (metadata as Record<string, unknown>)[field];
  }
  metadata.uid = generateUid(random);
  metadata.creationTimestamp = wireTime(clock.now());
}

function refuseInvalid(
  { resource, warnings }: Call,
  object: KubeObject,
  context: Parameters<Call["resource"]["strategy"]["validate"]>[2],
): void {
  const { strategy, scope } = resource;
  const errors = [
    ...validateMeta(object.metadata, scope === "Namespaced", strategy.validateName),
    ...strategy.validate(object, undefined, context),
  ];
  if (errors.length > 0) throw invalidObject(resource, object.metadata.name ?? "", errors);
  warnings.push(...strategy.warnings(object, undefined));
}

/** A name that must exist. */
export function mustExist<T>(found: T | undefined, { resource, info }: Call): T {
  if (found === undefined) throw notFound(resource, info.name);
  return found;
}
