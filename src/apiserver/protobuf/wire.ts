/** Reads the protobuf wire format. Whatever the bytes, it ends in values or in a `DecodeError`, never beyond the buffer. */
import { DecodeError } from "../decode/decode-error.ts";

const eof = (): DecodeError => new DecodeError("unexpected EOF");
const TEXT = new TextDecoder("utf-8", { fatal: true });

export type WireValue =
  | { readonly type: "varint"; readonly value: bigint }
  | { readonly type: "fixed" | "bytes"; readonly bytes: Uint8Array };

export interface WireField {
  readonly number: number;
  readonly value: WireValue;
}

/** The fields of one message, in the order they were written. */
export function* readFields(bytes: Uint8Array): Generator<WireField> {
  const cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const tag = readVarint(cursor);
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (number <= 0 || number > 2 ** 29 - 1)
      throw new DecodeError(`proto: illegal tag ${number} (wire type ${wireType})`);
    yield { number, value: readValue(cursor, wireType) };
  }
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

function readValue(cursor: Cursor, wireType: number): WireValue {
  switch (wireType) {
    case 0:
      return { type: "varint", value: readVarint(cursor) };
    case 1:
      return { type: "fixed", bytes: take(cursor, 8) };
    case 2:
      return { type: "bytes", bytes: take(cursor, readLength(cursor)) };
    case 5:
      return { type: "fixed", bytes: take(cursor, 4) };
    default:
      throw new DecodeError(`proto: illegal wireType ${wireType}`);
  }
}

function readVarint(cursor: Cursor): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw eof();
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return BigInt.asUintN(64, value);
  }
  throw new DecodeError("proto: integer overflow");
}

function readLength(cursor: Cursor): number {
  const length = readVarint(cursor);
  if (length > BigInt(cursor.bytes.length - cursor.at)) throw eof();
  return Number(length);
}

function take(cursor: Cursor, length: number): Uint8Array {
  if (cursor.at + length > cursor.bytes.length) throw eof();
  const taken = cursor.bytes.subarray(cursor.at, cursor.at + length);
  cursor.at += length;
  return taken;
}

const wrongWire = (value: WireValue, what: string): DecodeError =>
  new DecodeError(`proto: wrong wireType = ${value.type} for a field of ${what}`);

/** A signed integer, as far as a JavaScript number holds it exactly. */
export function asInteger(value: WireValue): number {
  if (value.type !== "varint") throw wrongWire(value, "integer");
  return Number(BigInt.asIntN(64, value.value));
}

export function asBool(value: WireValue): boolean {
  if (value.type !== "varint") throw wrongWire(value, "bool");
  return value.value !== 0n;
}

export function asDouble(value: WireValue): number {
  if (value.type !== "fixed" || value.bytes.length !== 8) throw wrongWire(value, "double");
  const number = new DataView(value.bytes.buffer, value.bytes.byteOffset, 8).getFloat64(0, true);
  if (!Number.isFinite(number)) throw new DecodeError(`json: unsupported value: ${number}`);
  return number;
}

export function asBytes(value: WireValue): Uint8Array {
  if (value.type !== "bytes") throw wrongWire(value, "bytes");
  return value.bytes;
}

export function asText(value: WireValue): string {
  try {
    return TEXT.decode(asBytes(value));
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    throw new DecodeError("proto: string field contains invalid UTF-8");
  }
}
