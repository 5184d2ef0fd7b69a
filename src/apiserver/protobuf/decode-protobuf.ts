/** Reads `application/vnd.kubernetes.protobuf` bodies of built-in kinds into the JSON they stand for. */
import { structOfKind } from "../builtins/builtin-kinds.ts";
import { decodeBuiltin } from "../builtins/go-decode.ts";
import { type StructField, type StructFieldType, type StructType, structType } from "../builtins/struct-types.ts";
import { DecodeError } from "../decode/decode-error.ts";
import type { Json, JsonObject } from "../json.ts";
import { leafReaders } from "./leaves.ts";
import { asBytes, asText, readFields, type WireValue } from "./wire.ts";

const MAGIC = [0x6b, 0x38, 0x73, 0x00] as const;
/** Nothing that is hosted nests deeper; a schema within schemas is what comes closest. */
const MAX_DEPTH = 200;

/**
 * Decodes a body: the envelope names the kind, `fallback` where it does not. Throws `DecodeError` for anything that is not
 * such a body, or of a kind that is not built in.
 */
export function decodeProtobuf(
  body: Uint8Array,
  fallback?: { readonly apiVersion: string; readonly kind: string },
): JsonObject {
  if (MAGIC.some((byte, i) => body[i] !== byte)) {
    throw new DecodeError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  const envelope = readEnvelope(body.subarray(MAGIC.length));
  const apiVersion = envelope.apiVersion || (fallback?.apiVersion ?? "");
  const kind = envelope.kind || (fallback?.kind ?? "");
  const struct = structOfKind(apiVersion, kind);
  if (struct === undefined) throw new DecodeError(`no kind "${kind}" is registered for version "${apiVersion}"`);
  const object = { apiVersion, kind, ...readMessage(envelope.raw, structType(struct), 0) };
  return decodeBuiltin(object, apiVersion, kind)?.value ?? object;
}

interface Envelope {
  apiVersion: string;
  kind: string;
  raw: Uint8Array;
}

function readEnvelope(bytes: Uint8Array): Envelope {
  const envelope: Envelope = { apiVersion: "", kind: "", raw: new Uint8Array() };
  for (const { number, value } of readFields(bytes)) {
    if (number === 1) readTypeMeta(asBytes(value), envelope);
    else if (number === 2) envelope.raw = asBytes(value);
  }
  return envelope;
}

function readTypeMeta(bytes: Uint8Array, envelope: Envelope): void {
  for (const { number, value } of readFields(bytes)) {
    if (number === 1) envelope.apiVersion = asText(value);
    else if (number === 2) envelope.kind = asText(value);
  }
}

/** By number; a number of an embedded message leads to the fields inside it. */
type Layout = ReadonlyMap<number, StructField | readonly StructField[]>;

const layouts = new WeakMap<StructType, Layout>();

function layoutOf(type: StructType): Layout {
  const known = layouts.get(type);
  if (known !== undefined) return known;
  const layout = new Map<number, StructField | StructField[]>();
  for (const field of type.fields.values()) {
    const [outer = 0, inner] = field.numbers;
    const inside = layout.get(outer);
    if (inner === undefined) layout.set(outer, field);
    else if (Array.isArray(inside)) inside.push(field);
    else layout.set(outer, [field]);
  }
  layouts.set(type, layout);
  return layout;
}

function readMessage(bytes: Uint8Array, type: StructType, depth: number): JsonObject {
  if (depth > MAX_DEPTH) throw new DecodeError("exceeded max depth");
  const object: JsonObject = {};
  const layout = layoutOf(type);
  for (const { number, value } of readFields(bytes)) {
    const target = layout.get(number);
    if (target === undefined) continue;
    if (!("name" in target)) readEmbedded(asBytes(value), target, { object, depth });
    else readField(value, target, { object, depth });
  }
  return object;
}

interface Reading {
  readonly object: JsonObject;
  readonly depth: number;
}

function readEmbedded(bytes: Uint8Array, fields: readonly StructField[], reading: Reading): void {
  for (const { number, value } of readFields(bytes)) {
    const field = fields.find((candidate) => candidate.numbers[1] === number);
    if (field !== undefined) readField(value, field, reading);
  }
}

function readField(value: WireValue, field: StructField, { object, depth }: Reading): void {
  const { name, type } = field;
  if (type.kind === "list") {
    const list = object[name] as Json[] | undefined;
    const item = readSingle(value, type.item, depth);
    if (list === undefined) object[name] = [item];
    else list.push(item);
  } else if (type.kind === "map") {
    const map = object[name] as JsonObject | undefined;
    const [key, item] = readEntry(asBytes(value), type.value, depth);
    if (map === undefined) object[name] = { [key]: item };
    else map[key] = item;
  } else object[name] = readSingle(value, type, depth);
}

function readSingle(value: WireValue, type: StructFieldType, depth: number): Json {
  if (type.kind === "struct") return readMessage(asBytes(value), structType(type.struct), depth + 1);
  if (type.kind !== "leaf") throw new TypeError("a list or map inside a list or map has no protobuf form");
  return leafReaders[type.leaf](value, (bytes) =>
    readMessage(bytes, structType("apiextensions.JSONSchemaProps"), depth + 1),
  );
}

function readEntry(bytes: Uint8Array, type: StructFieldType, depth: number): [string, Json] {
  let key = "";
  let item: Json = null;
  for (const { number, value } of readFields(bytes)) {
    if (number === 1) key = asText(value);
    else if (number === 2) item = readSingle(value, type, depth);
  }
  if (key === "__proto__") throw new DecodeError('the key "__proto__" is not supported');
  return [key, item];
}
