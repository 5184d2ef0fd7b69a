/** Reads and replaces `metadata.managedFields` without touching the object it came from. */
import { getOwn, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { fieldElement } from "./path-element.ts";

export function managedFieldsOf(object: JsonObject | undefined): Json | undefined {
  const metadata = object === undefined ? undefined : getOwn(object, "metadata");
  return isJsonObject(metadata) ? getOwn(metadata, "managedFields") : undefined;
}

/** The object with these managedFields, or without any. */
export function withManagedFields(object: JsonObject, entries: JsonObject[] | undefined): JsonObject {
  const metadata = getOwn(object, "metadata");
  if (!isJsonObject(metadata))
    return entries === undefined ? object : { ...object, metadata: { managedFields: entries } };
  const { managedFields, ...rest } = metadata;
  if (entries === undefined && managedFields === undefined) return object;
  return { ...object, metadata: entries === undefined ? rest : { ...rest, managedFields: entries } };
}

const path = (...names: readonly string[]): string[] => names.map(fieldElement);

/** What the system itself keeps about an object: no manager owns it. */
export const systemFields: FieldSet = FieldSet.of(
  path("apiVersion"),
  path("kind"),
  path("metadata"),
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => path("metadata", name)),
);
