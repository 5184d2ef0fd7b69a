/** JSON merge patch (RFC 7386) with the corner cases of upstream's implementation. It never changes its inputs. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { PatchError } from "./patch-error.ts";

/** The object after the patch. Unchanged subtrees are shared with `object`, new ones with `patch`. */
export function applyMergePatch(object: JsonObject, patch: Json): JsonObject {
  if (!isJsonObject(patch)) throw PatchError.badRequest("Invalid JSON Patch");
  return mergeObjects(object, patch);
}

function mergeObjects(object: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...object };
  for (const key of Object.keys(patch)) {
    const value = patch[key] as Json;
    if (value === null) delete merged[key];
    else merged[key] = mergeValue(Object.hasOwn(merged, key) ? (merged[key] as Json) : null, value);
  }
  return merged;
}

function mergeValue(current: Json, patch: Json): Json {
  if (isJsonObject(current) && isJsonObject(patch)) return mergeObjects(current, patch);
  // Upstream prunes nulls unless a map is replaced by something that is not one.
  return isJsonObject(current) ? patch : withoutNulls(patch);
}

/** Nulls are instructions: a value that lands where there was nothing carries none, except as list items. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key] as Json;
    if (item !== null) kept[key] = withoutNulls(item);
  }
  return kept;
}
