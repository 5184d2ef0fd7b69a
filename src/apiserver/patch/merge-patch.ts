/** JSON merge patch (RFC 7386) with the corner cases of upstream's implementation. It never changes its inputs. */
import { type Decoded, DecodeError } from "../decode/decode-error.ts";
import { decodeJson, jsonTypeName } from "../decode/decode-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { PatchError } from "./patch-error.ts";

/** Reads the body of a merge patch, refusing it as upstream does. */
export function decodeMergePatch(text: string): Decoded<JsonObject> {
  try {
    const { value, strictErrors } = decodeJson(text);
    if (value === null) throw PatchError.badRequest("Invalid JSON Patch");
    if (isJsonObject(value)) return { value, strictErrors };
    throw new DecodeError(
      `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`,
    );
  } catch (error) {
    if (error instanceof DecodeError) throw PatchError.badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
}

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
