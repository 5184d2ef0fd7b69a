/** The annotation in which client-side apply keeps its configuration, for those who move to server-side apply. */
import { DecodeError } from "../decode/decode-error.ts";
import { decodeJsonObject } from "../decode/decode-json.ts";
import { getOwn, isJsonObject, type JsonObject } from "../json.ts";
import { compareTyped } from "./compare.ts";
import { FieldSet } from "./field-set.ts";
import { toFieldSet } from "./to-field-set.ts";
import type { TypeModel } from "./type-model.ts";
import { TypedError } from "./typed-error.ts";
import { validateTyped } from "./validate.ts";

const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

function annotationsOf(object: JsonObject): JsonObject {
  const metadata = getOwn(object, "metadata");
  const annotations = isJsonObject(metadata) ? getOwn(metadata, "annotations") : undefined;
  return isJsonObject(annotations) ? annotations : {};
}

function lastAppliedOf(object: JsonObject): string {
  const value = getOwn(annotationsOf(object), ANNOTATION);
  return typeof value === "string" ? value : "";
}

/** The fields that client-side apply set and nobody changed since: kubectl may take those over without force. */
export function fieldsOfLastApplied(live: JsonObject, apiVersion: string, model: TypeModel): FieldSet {
  const text = lastAppliedOf(live);
  if (text === "") return new FieldSet();
  try {
    const last = decodeJsonObject(text).value;
    if (last.apiVersion !== apiVersion) return new FieldSet();
    validateTyped(last, model);
    const { modified, added, removed } = compareTyped(last, live, model);
    return toFieldSet(last, model).difference(modified).difference(added).difference(removed);
  } catch (error) {
    if (error instanceof TypedError || error instanceof DecodeError) return new FieldSet();
    throw error;
  }
}

/** The object with the annotation brought up to date, where it has one. */
export function syncLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  if (lastAppliedOf(object) === "") return object;
  const metadata = object.metadata as JsonObject;
  const annotations = { ...annotationsOf(object), [ANNOTATION]: encodeLastApplied(config) };
  return { ...object, metadata: { ...metadata, annotations } };
}

function encodeLastApplied(config: JsonObject): string {
  const metadata = getOwn(config, "metadata");
  const bare = isJsonObject(metadata) ? { ...config, metadata: withoutAnnotation(metadata) } : config;
  return `${JSON.stringify(sortKeys(bare))}\n`;
}

function withoutAnnotation(metadata: JsonObject): JsonObject {
  if (!isJsonObject(metadata.annotations)) return metadata;
  const { [ANNOTATION]: _, ...annotations } = metadata.annotations;
  const { annotations: __, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
}

/** Go writes maps with sorted keys. */
function sortKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sortKeys) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)])) as T;
}
