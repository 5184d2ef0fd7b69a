/** Server-side apply: merges a configuration into the live object and settles who owns what. */
import { getOwn, isJsonObject, type Json, type JsonObject, jsonEqual } from "../json.ts";
import { capUpdateManagers } from "./cap-managers.ts";
import { type Conflict, type ConflictReport, reportConflicts } from "./conflict.ts";
import { fieldsOfLastApplied, syncLastApplied } from "./last-applied.ts";
import { decodeManagers, encodeManagers, type Manager, type Managers, managerId } from "./managers.ts";
import { managedFieldsOf, systemFields, withManagedFields } from "./object-metadata.ts";
import { toFieldSet } from "./to-field-set.ts";
import { managersAfter, type TrackedWrite } from "./track-update.ts";
import type { TypeModel } from "./type-model.ts";
import { TypedError } from "./typed-error.ts";
import { mergeAndPrune, presentManagers, Takeover, type Write } from "./updater.ts";
import { validateTyped } from "./validate.ts";

export interface Application extends TrackedWrite {
  readonly kind: string;
  readonly config: JsonObject;
  readonly force: boolean;
}

/** `changed` is false when the configuration asks for nothing new; its owner is recorded all the same. */
export type ApplyResult =
  | { readonly object: JsonObject; readonly changed: boolean; readonly conflicts?: never }
  | { readonly object?: never; readonly conflicts: ConflictReport };

/** An apply that cannot be understood: 400 with a reason, or 500 with none, as upstream answers. */
export class ApplyError extends Error {
  override readonly name = "ApplyError";
  readonly code: 400 | 500;
  readonly reason: "BadRequest" | "";
  constructor(code: 400 | 500, message: string) {
    super(message);
    this.code = code;
    this.reason = code === 400 ? "BadRequest" : "";
  }
}

const KUBECTL = "kubectl";

/** Applies a configuration. The object that comes back is not yet defaulted or validated. */
export function applyConfiguration(application: Application): ApplyResult {
  const model = checkConfiguration(application);
  const base = withManagedFields(application.live ?? application.empty ?? {}, undefined);
  const managers = decodeStored(application);
  const known = managers.size > 0 ? managers : managersBeforeFirstApply(application, base);
  const attempt = { application, model, base, managers: known };
  const result = merge(attempt, application.force);
  if (!Array.isArray(result)) return finish(attempt, result);
  const conflicts = withoutOwnHistory(attempt, result);
  if (conflicts.length > 0) return { conflicts: reportConflicts(conflicts) };
  return finish(attempt, merge(attempt, true) as Merged);
}

interface Attempt {
  readonly application: Application;
  readonly model: TypeModel;
  readonly base: JsonObject;
  readonly managers: Managers;
}

interface Merged {
  readonly object: Json;
  readonly managers: Managers;
  readonly id: string;
}

function checkConfiguration(application: Application): TypeModel {
  const { config, apiVersion, kind, modelOf } = application;
  const model = modelOf(apiVersion);
  if (model === undefined) throw new ApplyError(500, `no type model for ${apiVersion}, Kind=${kind}`);
  const given = groupVersionKind(config.apiVersion, config.kind);
  if (given !== groupVersionKind(apiVersion, kind)) throw new ApplyError(400, `invalid object type: ${given}`);
  if ((managedFieldsOf(config) ?? null) !== null) throw new ApplyError(400, "metadata.managedFields must be nil");
  try {
    validateTyped(config, model);
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw new ApplyError(500, `failed to create typed patch object (${nameOf(config)}; ${given}): ${error.message}`);
  }
  return model;
}

function groupVersionKind(apiVersion: Json | undefined, kind: Json | undefined): string {
  const version = typeof apiVersion === "string" ? apiVersion : "";
  return `${version.includes("/") ? version : `/${version}`}, Kind=${typeof kind === "string" ? kind : ""}`;
}

function nameOf(config: JsonObject): string {
  const metadata = getOwn(config, "metadata");
  const part = (key: string): string => {
    const value = isJsonObject(metadata) ? getOwn(metadata, key) : undefined;
    return typeof value === "string" ? value : "";
  };
  return `${part("namespace")}/${part("name")}`;
}

function decodeStored({ live }: Application): Managers {
  try {
    return decodeManagers(managedFieldsOf(live));
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw new ApplyError(500, `failed to decode managed fields: ${error.message}`);
  }
}

/** What is there without a history belongs to one manager of old. */
function managersBeforeFirstApply(application: Application, base: JsonObject): Managers {
  const write: TrackedWrite = { ...application, live: undefined, manager: "before-first-apply" };
  return capUpdateManagers(managersAfter(write, new Map(), base));
}

/** Merges; answers the conflicts instead when there are some and nothing forces them. */
function merge({ application, model, base, managers }: Attempt, force: boolean): Merged | Conflict[] {
  const { apiVersion, modelOf, resetFields, config } = application;
  const write: Write = { apiVersion, model, modelOf, resetFields };
  const present = presentManagers(managers, modelOf);
  const identity = {
    manager: application.manager,
    operation: "Apply" as const,
    apiVersion,
    subresource: application.subresource ?? "",
  };
  const id = managerId(identity);
  const last = present.get(id);
  const mentioned = toFieldSet(config, model);
  const set = resetFields === undefined ? mentioned : mentioned.recursiveDifference(resetFields);
  present.set(id, { ...identity, time: last?.time, set });
  const object = mergeAndPrune(base, config, { write, managers: present, last });
  const takeover = new Takeover(base, object, { write, managers: present, self: id });
  const conflicts = force ? [] : takeover.conflicts(present);
  return conflicts.length > 0 ? conflicts : { object, managers: takeover.settle(present), id };
}

/** kubectl may overwrite what its own client-side apply put there. */
function withoutOwnHistory({ application, base, model }: Attempt, conflicts: readonly Conflict[]): Conflict[] {
  if (application.manager !== KUBECTL) return [...conflicts];
  const own = fieldsOfLastApplied(base, application.apiVersion, model);
  return conflicts.filter(({ path }) => !own.has(path));
}

function finish({ application, base }: Attempt, { object, managers, id }: Merged): ApplyResult {
  const changed = !jsonEqual(base, object);
  const applier = managers.get(id);
  if (applier !== undefined) settleApplier(managers, id, changed ? { ...applier, time: application.now } : applier);
  const merged = changed && isJsonObject(object) ? object : base;
  const synced = application.manager === KUBECTL ? syncLastApplied(merged, application.config) : merged;
  return { object: withManagedFields(synced, encodeManagers(managers)), changed };
}

function settleApplier(managers: Managers, id: string, applier: Manager): void {
  const set = applier.set.difference(systemFields);
  if (set.isEmpty) managers.delete(id);
  else managers.set(id, { ...applier, set });
}
