/** Reads a JSON request body: one object, with the duplicates that strict validation objects to. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { type Decoded, DecodeError } from "./decode-error.ts";
import { goQuote } from "./go-quote.ts";
import { scanJson } from "./json-scanner.ts";

/** Decodes any JSON value; refuses with `DecodeError` in Go's words. */
export function decodeJson(text: string): Decoded<Json> {
  const duplicates = scanJson(text);
  return {
    value: JSON.parse(text) as Json,
    strictErrors: duplicates.map((path) => `duplicate field ${goQuote(path)}`),
  };
}

/** Decodes a body that must be an object, as every Kubernetes object, merge patch and apply configuration is. */
export function decodeJsonObject(text: string): Decoded<JsonObject> {
  const { value, strictErrors } = decodeJson(text);
  if (isJsonObject(value)) return { value, strictErrors };
  if (value === null) return { value: {}, strictErrors };
  throw new DecodeError(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`);
}

/** What Go's JSON decoder calls the type of a value it met. */
export function jsonTypeName(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}
