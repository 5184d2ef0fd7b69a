/** Where things live in the API: paths and queries, nothing else. */
import type { Kind, ObjectKey } from "#kinds";
import type { ObjectName } from "./client.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The collection of a kind, in one namespace or over all. */
export function collectionPath(kind: Kind, namespace?: string): string {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  if (kind.scope === "Cluster" || namespace === undefined) return `${root}/${kind.plural}`;
  return `${root}/namespaces/${encodeURIComponent(namespace)}/${kind.plural}`;
}

/** One object; throws when the name and namespace do not fit the kind's scope, before anything is asked. */
export function objectPath(kind: Kind, name: ObjectName, subresource?: string): string {
  const key = keyFor(kind, name);
  const path = `${collectionPath(kind, key.namespace)}/${encodeURIComponent(key.name)}`;
  return subresource ? `${path}/${subresource}` : path;
}

/** Where an object of a kind is created. */
export function creationPath(kind: Kind, namespace: string | undefined): string {
  if (kind.scope === "Namespaced" && !namespace)
    throw new TypeError(`a ${kind.kind} lives in a namespace, and its metadata names none`);
  return collectionPath(kind, namespace);
}

export function withQuery(path: string, query: Query): string {
  let text = "";
  for (const name in query) {
    const value = query[name];
    if (value === undefined || value === "" || value === false) continue;
    text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`;
  }
  return path + text;
}

/** `namespace/name` or `name`, for messages. */
export function displayName(name: ObjectName): string {
  if (typeof name === "string") return name;
  return name.namespace ? `${name.namespace}/${name.name}` : name.name;
}

function keyFor(kind: Kind, name: ObjectName): ObjectKey {
  const key = typeof name === "string" ? { name } : name;
  if (!key.name) throw new TypeError(`a ${kind.kind} cannot be addressed without a name`);
  if (kind.scope === "Namespaced" && !key.namespace)
    throw new TypeError(`${kind.kind} "${key.name}" lives in a namespace, and none was given`);
  return key;
}
