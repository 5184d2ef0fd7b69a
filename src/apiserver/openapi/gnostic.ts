/**
 * OpenAPI v2 in the protobuf messages of `openapi.v2.Document`, as Go clients read it. Bounds and patterns stay out:
 * clients leave those to the server.
 */
import type { DocumentV2, Schema } from "./openapi-v2.ts";

/** Field numbers of `openapi.v2.Document` and the messages below it. */
const DOCUMENT = { swagger: 1, info: 2, paths: 8, definitions: 9 } as const;
const SCHEMA = {
  $ref: 1,
  format: 2,
  description: 4,
  default: 5,
  required: 19,
  enum: 20,
  additionalProperties: 21,
  type: 22,
  items: 23,
  properties: 25,
  extension: 31,
} as const;
const ANY_YAML = 2;
const BYTES = 2;

export function encodeDocument({ swagger, info, definitions }: DocumentV2): Uint8Array {
  return Buffer.concat([
    text(DOCUMENT.swagger, swagger),
    message(DOCUMENT.info, [text(1, info.title), text(2, info.version)]),
    message(DOCUMENT.paths, []),
    message(DOCUMENT.definitions, named(definitions)),
  ]);
}

function named(schemas: Readonly<Record<string, Schema>>): Buffer[] {
  return Object.entries(schemas).map(([name, schema]) => message(1, [text(1, name), message(2, encodeSchema(schema))]));
}

function encodeSchema(schema: Schema): Buffer[] {
  const { $ref, format, description, type, required = [], items, properties, additionalProperties: more } = schema;
  const parts: Buffer[] = [];
  if ($ref) parts.push(text(SCHEMA.$ref, $ref));
  if (typeof format === "string") parts.push(text(SCHEMA.format, format));
  if (description) parts.push(text(SCHEMA.description, description));
  if (schema.default !== undefined) parts.push(message(SCHEMA.default, any(schema.default)));
  for (const name of required) parts.push(text(SCHEMA.required, name));
  for (const value of (schema.enum as unknown[] | undefined) ?? []) parts.push(message(SCHEMA.enum, any(value)));
  if (more !== undefined) parts.push(message(SCHEMA.additionalProperties, additional(more)));
  if (type) parts.push(message(SCHEMA.type, [text(1, type)]));
  if (items) parts.push(message(SCHEMA.items, [message(1, encodeSchema(items))]));
  if (properties) parts.push(message(SCHEMA.properties, named(properties)));
  return [...parts, ...extensions(schema)];
}

function additional(more: Schema | boolean): Buffer[] {
  return typeof more === "boolean" ? [Buffer.from([2 << 3, more ? 1 : 0])] : [message(1, encodeSchema(more))];
}

function extensions(schema: Schema): Buffer[] {
  return Object.entries(schema)
    .filter(([keyword]) => keyword.startsWith("x-"))
    .map(([keyword, value]) => message(SCHEMA.extension, [text(1, keyword), message(2, any(value))]));
}

/** A value of any type travels as YAML, of which JSON is a part. */
function any(value: unknown): Buffer[] {
  return [text(ANY_YAML, JSON.stringify(value))];
}

function text(field: number, value: string): Buffer {
  return message(field, [Buffer.from(value)]);
}

function message(field: number, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([varint((field << 3) | BYTES), varint(length), ...parts]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}
