/** Which objects a list or watch of the in-memory API is about, and what its reader gets to see of a change. */
import { type KubeObject, matchesRequirements, parseSelector } from "#kinds";
import type { ListOptions, WatchEvent } from "../client/client.ts";
import type { MemoryWatch } from "./memory-watch.ts";
import { fieldAt } from "./patching.ts";

export type Selection = Pick<ListOptions, "namespace" | "labelSelector" | "fieldSelector" | "metadataOnly">;

export interface Change {
  readonly revision: number;
  readonly resource: string;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

export function isSelected(object: KubeObject, selection: Selection): boolean {
  const { namespace, labelSelector = "", fieldSelector = "" } = selection;
  const fields = parseSelector(fieldSelector);
  const found = Object.fromEntries(fields.map(({ key }) => [key, `${fieldAt(object, key) ?? ""}`]));
  return (
    (!namespace || object.metadata.namespace === namespace) &&
    matchesRequirements(parseSelector(labelSelector), object.metadata.labels ?? {}) &&
    matchesRequirements(fields, found)
  );
}

export function project({ apiVersion, kind, metadata, ...rest }: KubeObject, { metadataOnly }: Selection): KubeObject {
  return structuredClone({ apiVersion, kind, metadata, ...(metadataOnly ? {} : rest) });
}

export function event(
  type: "ADDED" | "MODIFIED" | "DELETED",
  object: KubeObject,
  selection: Selection,
): WatchEvent<KubeObject> {
  return { type, object: project(object, selection) };
}

/** What a watcher with a selector sees of a change: entering it is ADDED, leaving it DELETED. */
export function deliver(change: Change, resource: string, selection: Selection, watch: MemoryWatch<KubeObject>): void {
  const { before, after, revision } = change;
  if (change.resource !== resource) return;
  const was = before && isSelected(before, selection);
  if (after && isSelected(after, selection)) watch.push(event(was ? "MODIFIED" : "ADDED", after, selection));
  else if (was) {
    const last = { ...before, metadata: { ...before.metadata, resourceVersion: `${revision}` } };
    watch.push(event("DELETED", last, selection));
  }
}
