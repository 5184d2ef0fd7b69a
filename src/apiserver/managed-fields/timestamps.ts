/** Keeps a write that changes nothing but timestamps in managedFields from counting as a change. */
import { isJsonObject, type Json, type JsonObject, jsonEqual } from "../json.ts";
import { managedFieldsOf, withManagedFields } from "./object-metadata.ts";

/** The new object, with the stored timestamps when they are all that differs. */
export function keepUnchangedTimestamps(updated: JsonObject, live: JsonObject): JsonObject {
  const before = managedFieldsOf(live);
  const after = managedFieldsOf(updated);
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return updated;
  if (!before.every((entry, i) => jsonEqual(withoutTime(entry), withoutTime(after[i] as Json)))) return updated;
  if (!jsonEqual(withManagedFields(live, undefined), withManagedFields(updated, undefined))) return updated;
  return withManagedFields(updated, before as JsonObject[]);
}

function withoutTime(entry: Json): Json {
  if (!isJsonObject(entry)) return entry;
  const { time: _, ...rest } = entry;
  return rest;
}
