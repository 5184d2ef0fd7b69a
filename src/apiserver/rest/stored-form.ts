/** How stored JSON becomes the JSON of a served version: only its first two fields ever differ, so no object is re-encoded. */
import type { KubeObject } from "#kinds";
import type { Entry } from "../store/index.ts";
import { apiVersionOfResource, type Resource } from "./resource.ts";

function head(apiVersion: string, kind: string): string {
  return `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`;
}

/** An entry's JSON as the resource's version shows it. */
export function entryJson({ json, object }: Pick<Entry, "json" | "object">, resource: Resource): string {
  if (resource.conversion) return JSON.stringify(resource.conversion.fromStored(object));
  const apiVersion = apiVersionOfResource(resource);
  if (apiVersion === resource.storedAs) return json;
  return head(apiVersion, resource.kind) + json.slice(head(resource.storedAs, resource.kind).length);
}

/** The same inside a list, where built-ins leave their kind out. */
export function itemJson(entry: Pick<Entry, "json" | "object">, resource: Resource): string {
  const json = entryJson(entry, resource);
  return resource.typedListItems ? json : `{${json.slice(head(apiVersionOfResource(resource), resource.kind).length)}`;
}

/** The object as the resource's version shows it; shares everything with the stored one. */
export function served(object: KubeObject, resource: Resource): KubeObject {
  const apiVersion = apiVersionOfResource(resource);
  if (object.apiVersion === apiVersion) return object;
  return resource.conversion ? resource.conversion.fromStored(object) : { ...object, apiVersion };
}

/** The object as it is stored, `apiVersion` and `kind` first. */
export function stored(object: KubeObject, resource: Resource): KubeObject {
  const converted = resource.conversion ? resource.conversion.toStored(object) : object;
  const { apiVersion: _, kind: __, ...rest } = converted;
  return { apiVersion: resource.storedAs, kind: resource.kind, ...rest };
}
