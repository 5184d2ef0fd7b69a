/** Writes built-in kinds as protobuf, for suites only: the server answers JSON. */
import { structOfKind } from "../builtins/builtin-kinds.ts";
import { type LeafType, type StructField, type StructFieldType, structType } from "../builtins/struct-types.ts";
import type { Json, JsonObject } from "../json.ts";

const varint = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
};

const tagged = (number: number, bytes: readonly number[]): number[] => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const text = (value: string): number[] => [...Buffer.from(value)];
const integer = (number: number, value: number): number[] => [...varint(number * 8), ...varint(value)];

const leaf: Partial<Record<LeafType, (value: Json) => number[]>> = {
  string: (value) => text(value as string),
  bytes: (value) => [...Buffer.from(value as string, "base64")],
  time: (value) => integer(1, Date.parse(value as string) / 1000),
  micro: (value) => [
    ...integer(1, Math.floor(Date.parse(value as string) / 1000)),
    ...integer(2, Number((value as string).slice(20, 26)) * 1000),
  ],
  quantity: (value) => tagged(1, text(value as string)),
  intorstring: (value) =>
    typeof value === "string"
      ? [...integer(1, 1), ...tagged(3, text(value))]
      : [...integer(1, 0), ...integer(2, value as number)],
  fields: (value) => tagged(1, text(JSON.stringify(value))),
  strings: (value) => (value as string[]).flatMap((item) => tagged(1, text(item))),
};

function single(number: number, value: Json, type: StructFieldType): number[] {
  if (type.kind === "struct") return tagged(number, message(value as JsonObject, type.struct));
  if (type.kind !== "leaf") throw new TypeError("not a single value");
  const write = leaf[type.leaf];
  return write === undefined ? integer(number, Number(value)) : tagged(number, write(value));
}

function field({ numbers, type, name }: StructField, object: JsonObject): number[] {
  const value = object[name];
  const number = numbers.at(-1) as number;
  if (value === undefined || value === null) return [];
  if (type.kind === "list") return (value as Json[]).flatMap((item) => single(number, item, type.item));
  if (type.kind !== "map") return single(number, value, type);
  return Object.entries(value).flatMap(([key, item]) =>
    tagged(number, [...tagged(1, text(key)), ...single(2, item as Json, type.value)]),
  );
}

function message(object: JsonObject, struct: string): number[] {
  return [...structType(struct).fields.values()].flatMap((item) => {
    const bytes = field(item, object);
    return item.numbers.length === 1 || bytes.length === 0 ? bytes : tagged(item.numbers[0] as number, bytes);
  });
}

/** The body a Go client would send for this object. */
export function encodeProtobuf(object: JsonObject): Uint8Array {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const raw = message(object, structOfKind(apiVersion, kind) as string);
  const meta = [...tagged(1, text(apiVersion)), ...tagged(2, text(kind))];
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...tagged(1, meta), ...tagged(2, raw)]);
}
