/** Ownership of a replica count that is written through two endpoints: the object's own and its `scale`. */
import type { Json, JsonObject } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { decodeManagers, encodeManagers, type Managers } from "./managers.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

const SCALE_VERSION = "autoscaling/v1";
const REPLICAS: readonly PathElement[] = [fieldElement("spec"), fieldElement("replicas")];

/** Where each version of the kind keeps its replicas (`.spec.replicas`); undefined for a version without a scale. */
export type ReplicasPaths = ReadonlyMap<string, string | undefined>;

const elements = (path: string): PathElement[] =>
  path
    .split(".")
    .filter((name) => name !== "")
    .map(fieldElement);

function replicasOf(paths: ReplicasPaths, apiVersion: string): PathElement[] | undefined {
  const path = paths.get(apiVersion);
  return path === undefined ? undefined : elements(path);
}

/** The managedFields of the scale: those managers of the object that own its replicas. */
export function scaleManagedFields(entries: Json | undefined, paths: ReplicasPaths): JsonObject[] | undefined {
  const scale: Managers = new Map();
  for (const [id, manager] of decodeManagers(entries)) {
    const path = replicasOf(paths, manager.apiVersion);
    if (path !== undefined && manager.set.has(path)) {
      scale.set(id, { ...manager, apiVersion: SCALE_VERSION, set: FieldSet.of(REPLICAS) });
    }
  }
  return encodeManagers(scale);
}

export interface ScaledObject {
  /** The object's managedFields before the write. */
  readonly entries: Json | undefined;
  /** The scale's managedFields after it. */
  readonly scaleEntries: Json | undefined;
  /** The version of the object whose scale was written. */
  readonly apiVersion: string;
}

/** The object's managedFields after a write to its scale: who lost the replicas there loses them here. */
export function unscaledManagedFields(
  { entries, scaleEntries, apiVersion }: ScaledObject,
  paths: ReplicasPaths,
): JsonObject[] | undefined {
  const scale = scaleManagersById(scaleEntries);
  const parent: Managers = new Map();
  for (const [id, manager] of decodeManagers(entries)) {
    if (!paths.has(manager.apiVersion)) continue;
    const path = replicasOf(paths, manager.apiVersion);
    const keeps = path === undefined || !manager.set.has(path) || scale.delete(id);
    const set = keeps ? manager.set : manager.set.difference(FieldSet.of(path));
    if (!set.isEmpty) parent.set(id, { ...manager, set });
  }
  const replicas = replicasOf(paths, apiVersion);
  for (const [id, manager] of scale) {
    // Upstream knows no time for a manager that is new through its scale.
    if (replicas !== undefined) parent.set(id, { ...manager, apiVersion, time: undefined, set: FieldSet.of(replicas) });
  }
  return encodeManagers(parent);
}

/** Updaters keep the identity they have on the scale, so that one never passes for an updater of the object itself. */
function scaleManagersById(entries: Json | undefined): Managers {
  const managers: Managers = new Map();
  for (const [id, manager] of decodeManagers(entries)) if (manager.set.has(REPLICAS)) managers.set(id, manager);
  return managers;
}
