/** Ownership after a create, an update or a patch that is not an apply: who wrote a change owns it. */
import { isJsonObject, type Json, type JsonObject, jsonEqual } from "../json.ts";
import { capUpdateManagers } from "./cap-managers.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeManagers, encodeManagers, type Manager, type Managers, managerId } from "./managers.ts";
import { managedFieldsOf, systemFields, withManagedFields } from "./object-metadata.ts";
import { TypedError } from "./typed-error.ts";
import { type ModelOf, presentManagers, Takeover } from "./updater.ts";

export interface TrackedWrite {
  /** What is stored; absent on create. */
  readonly live: JsonObject | undefined;
  /** What a new object of the kind looks like before anything is set; built-in kinds have fields even then. */
  readonly empty?: JsonObject;
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  /** RFC 3339, in seconds. */
  readonly now: string;
  readonly modelOf: ModelOf;
  readonly resetFields?: FieldSet | undefined;
}

export interface TrackedUpdate extends TrackedWrite {
  /** What is about to be stored. */
  readonly updated: JsonObject;
}

const CURRENT = "current-operation";

/** The updated object with its managedFields; without any where they cannot be told. */
export function trackUpdate(update: TrackedUpdate): JsonObject {
  const { updated, live } = update;
  const managers = knownManagers(update);
  const bare = withManagedFields(updated, undefined);
  // An object whose history is unknown stays so until it is applied to.
  if (managers.size === 0 && live !== undefined) return bare;
  try {
    return withManagedFields(bare, encodeManagers(capUpdateManagers(managersAfter(update, managers, bare))));
  } catch (error) {
    if (error instanceof TypedError) return bare;
    throw error;
  }
}

/** A client may edit managedFields on the object itself; what it did not send or got wrong stays as stored. */
function knownManagers({ live, updated, subresource }: TrackedUpdate): Managers {
  const stored = managedFieldsOf(live);
  const sent = managedFieldsOf(updated);
  const isEdited = sent !== undefined && !jsonEqual(sent, stored);
  if (isEdited && (subresource === undefined || subresource === "")) {
    if (isReset(sent)) return new Map();
    const managers = decodeOrNone(sent);
    if (managers.size > 0) return managers;
  }
  return decodeOrNone(stored);
}

/** An empty list, or a list of one empty entry. */
function isReset(entries: Json | undefined): boolean {
  if (!Array.isArray(entries)) return false;
  const [first] = entries;
  return entries.length === 0 || (entries.length === 1 && isJsonObject(first) && Object.keys(first).length === 0);
}

function decodeOrNone(entries: Json | undefined): Managers {
  try {
    return decodeManagers(entries);
  } catch (error) {
    if (error instanceof TypedError) return new Map();
    throw error;
  }
}

/** The managers after an update, the writer among them if it changed anything. */
export function managersAfter(write: TrackedWrite, managers: Managers, updated: JsonObject): Managers {
  const { apiVersion, modelOf, resetFields } = write;
  const model = modelOf(apiVersion);
  if (model === undefined) throw new TypedError(`no type model for ${apiVersion}`);
  const before = withManagedFields(write.live ?? write.empty ?? {}, undefined);
  const present = presentManagers(managers, modelOf);
  const takeover = new Takeover(before, updated, {
    write: { apiVersion, model, modelOf, resetFields },
    managers: present,
    self: CURRENT,
  });
  const settled = takeover.settle(present);
  const { modified, added } = takeover.comparison;
  const gained = modified.union(added).difference(systemFields);
  if (!gained.isEmpty) addUpdater(settled, write, gained);
  return settled;
}

function addUpdater(managers: Managers, write: TrackedWrite, gained: FieldSet): void {
  const identity = {
    manager: write.manager === "" ? "unknown" : write.manager,
    operation: "Update" as const,
    apiVersion: write.apiVersion,
    subresource: write.subresource ?? "",
  };
  const id = managerId(identity);
  const previous: Manager | undefined = managers.get(id);
  const set = previous === undefined ? gained : gained.union(previous.set);
  managers.set(id, { ...identity, time: write.now, set });
}
