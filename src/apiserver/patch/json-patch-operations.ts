/** Reads the body of a JSON patch into operations, refusing what upstream refuses before the object is looked at. */

import { type Decoded, DecodeError } from "../decode/decode-error.ts";
import { decodeJson, jsonTypeName } from "../decode/decode-json.ts";
import { goQuote } from "../decode/go-quote.ts";
import { getOwn, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { PatchError } from "./patch-error.ts";

const MAX_OPERATIONS = 10_000;
const FIELDS: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);

/** One step of a JSON patch; a field that is absent or null reads as undefined, except `value`. */
export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: Json;
}

/** Decodes a JSON patch body. `strictErrors` are upstream's (`json patch unknown field "[0].x"`). */
export function decodeJsonPatch(text: string): Decoded<JsonPatchOperation[]> {
  const { value, strictErrors } = decodeBody(text);
  if (value !== null && !Array.isArray(value)) throw badPatch(value, "value of type []handlers.jsonPatchOp");
  const steps = value ?? [];
  if (steps.length > MAX_OPERATIONS) {
    throw PatchError.tooLarge(
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${steps.length}`,
    );
  }
  const unknown: string[] = [];
  const operations = steps.map((step, index) => toOperation(step, index, unknown));
  return { value: operations, strictErrors: [...strictErrors, ...unknown].map((error) => `json patch ${error}`) };
}

function decodeBody(text: string): Decoded<Json> {
  try {
    return decodeJson(text);
  } catch (error) {
    if (error instanceof DecodeError) throw PatchError.badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
}

function badPatch(value: Json, into: string): PatchError {
  return PatchError.badRequest(`error decoding patch: json: cannot unmarshal ${jsonTypeName(value)} into Go ${into}`);
}

function toOperation(step: Json, index: number, unknown: string[]): JsonPatchOperation {
  if (step !== null && !isJsonObject(step)) throw badPatch(step, "value of type handlers.jsonPatchOp");
  const fields = step ?? {};
  for (const key of Object.keys(fields)) {
    if (!FIELDS.has(key)) unknown.push(`unknown field ${goQuote(`[${index}].${key}`)}`);
  }
  return {
    op: text(fields, "op") ?? "unknown",
    path: text(fields, "path"),
    from: text(fields, "from"),
    value: getOwn(fields, "value") ?? null,
  };
}

function text(fields: JsonObject, key: "op" | "path" | "from"): string | undefined {
  const value = getOwn(fields, key);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw badPatch(value, `struct field jsonPatchOp.${key} of type string`);
  return value;
}
