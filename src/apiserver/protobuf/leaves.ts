/** How the leaves of built-in types are written in protobuf, and the JSON they stand for. */
import type { LeafType } from "../builtins/struct-types.ts";
import { DecodeError } from "../decode/decode-error.ts";
import { decodeJson } from "../decode/decode-json.ts";
import type { Json } from "../json.ts";
import { asBool, asBytes, asDouble, asInteger, asText, readFields, type WireValue } from "./wire.ts";

/** Reads a nested schema; handed in because schemas contain leaves that contain schemas. */
export type ReadSchema = (bytes: Uint8Array) => Json;

type Reader = (value: WireValue, readSchema: ReadSchema) => Json;

/** The fields of a small message, the last of each number. */
function fieldsOf(value: WireValue): Map<number, WireValue> {
  const fields = new Map<number, WireValue>();
  for (const field of readFields(asBytes(value))) fields.set(field.number, field.value);
  return fields;
}

function repeated(value: WireValue, number: number): WireValue[] {
  return [...readFields(asBytes(value))].filter((field) => field.number === number).map((field) => field.value);
}

/** Seconds and nanoseconds as an instant; the zero time is null. Both as RFC 3339 with that many digits. */
const instant =
  (digits: 0 | 6): Reader =>
  (value) => {
    const fields = fieldsOf(value);
    const [seconds, nanos] = [1, 2].map((number) => {
      const field = fields.get(number);
      return field === undefined ? 0 : asInteger(field);
    }) as [number, number];
    if (seconds === 0 && nanos === 0) return null;
    const date = new Date(seconds * 1000);
    if (Number.isNaN(date.getTime())) throw new DecodeError(`proto: ${seconds} seconds are not a time`);
    const whole = date.toISOString().slice(0, 19);
    return digits === 0 ? `${whole}Z` : `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, "0")}Z`;
  };

const quantity: Reader = (value) => {
  const text = fieldsOf(value).get(1);
  return text === undefined ? "0" : asText(text);
};

const intOrString: Reader = (value) => {
  const fields = fieldsOf(value);
  const [type, number, text] = [1, 2, 3].map((key) => fields.get(key));
  const isText = type !== undefined && asInteger(type) === 1;
  if (isText) return text === undefined ? "" : asText(text);
  return number === undefined ? 0 : asInteger(number);
};

/** JSON text in field 1. */
const embeddedJson: Reader = (value) => {
  const raw = fieldsOf(value).get(1);
  return raw === undefined || asBytes(raw).length === 0 ? null : decodeJson(asText(raw)).value;
};

const schemaOrArray: Reader = (value, readSchema) => {
  const schema = fieldsOf(value).get(1);
  if (schema !== undefined) return readSchema(asBytes(schema));
  return repeated(value, 2).map((item) => readSchema(asBytes(item)));
};

const schemaOrBool: Reader = (value, readSchema) => {
  const fields = fieldsOf(value);
  const schema = fields.get(2);
  const allows = fields.get(1);
  return schema === undefined ? allows !== undefined && asBool(allows) : readSchema(asBytes(schema));
};

const schemaOrStrings: Reader = (value, readSchema) => {
  const schema = fieldsOf(value).get(1);
  return schema === undefined ? repeated(value, 2).map(asText) : readSchema(asBytes(schema));
};

export const leafReaders: Record<LeafType, Reader> = {
  string: asText,
  bool: asBool,
  int32: asInteger,
  int64: asInteger,
  double: asDouble,
  bytes: (value) => Buffer.from(asBytes(value)).toString("base64"),
  time: instant(0),
  micro: instant(6),
  quantity,
  intorstring: intOrString,
  raw: embeddedJson,
  json: embeddedJson,
  fields: embeddedJson,
  strings: (value) => repeated(value, 1).map(asText),
  schemaorarray: schemaOrArray,
  schemaorbool: schemaOrBool,
  schemaorstrings: schemaOrStrings,
};
