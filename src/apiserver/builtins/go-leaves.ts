/** How the leaves of built-in types are read from JSON and written back: one spelling per value, as Go has it. */
import { DecodeError } from "../decode/decode-error.ts";
import { jsonTypeName } from "../decode/decode-json.ts";
import { goQuote } from "../decode/go-quote.ts";
import { isJsonObject, type Json } from "../json.ts";
import type { LeafType } from "./struct-types.ts";

/** Where a value stands, for refusals: the innermost struct and the path of fields to it. */
export interface Place {
  readonly struct: string;
  readonly path: readonly string[];
  /** Go's own name of the string type expected here. */
  readonly goType?: string | undefined;
}

/** Refuses a value of the wrong type in the words of Go's decoder. */
export function wrongType(value: Json, place: Place, goType: string): DecodeError {
  const shown = typeof value === "number" && /^int/.test(goType) ? `number ${value}` : jsonTypeName(value);
  const where = place.path.length === 0 ? "value" : `struct field ${place.struct}.${place.path.join(".")}`;
  return new DecodeError(`json: cannot unmarshal ${shown} into Go ${where} of type ${goType}`);
}

/** The value of a field that was not given. */
export const ZERO: Record<LeafType, Json> = {
  string: "",
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: null,
  time: null,
  micro: null,
  quantity: "0",
  intorstring: 0,
  raw: null,
  json: null,
  fields: null,
  strings: null,
  schemaorarray: null,
  schemaorbool: null,
  schemaorstrings: null,
};

/** Left out when empty; the others are structs to Go, which never are. */
export const EMPTIABLE: ReadonlySet<LeafType> = new Set([
  "string",
  "bool",
  "int32",
  "int64",
  "double",
  "bytes",
  "strings",
]);

type Reader = (value: Json, place: Place) => Json;

const RANGE = { int32: 2 ** 31, int64: 2 ** 63 } as const;

const integer =
  (type: "int32" | "int64"): Reader =>
  (value, place) => {
    if (typeof value !== "number") throw wrongType(value, place, type);
    if (!Number.isInteger(value) || value >= RANGE[type] || value < -RANGE[type]) throw wrongType(value, place, type);
    return value;
  };

const ofType =
  (type: "string" | "boolean" | "number", goType: string): Reader =>
  (value, place) => {
    if (typeof value !== type) throw wrongType(value, place, place.goType ?? goType);
    return value;
  };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const bytes: Reader = (value, place) => {
  if (typeof value !== "string") throw wrongType(value, place, "[]uint8");
  const bad = value.search(/[^A-Za-z0-9+/=\r\n]/);
  const compact = value.replace(/[\r\n]/g, "");
  if (bad !== -1 || !BASE64.test(compact)) {
    throw new DecodeError(
      `illegal base64 data at input byte ${bad === -1 ? Math.max(compact.length - (compact.length % 4), 0) : bad}`,
    );
  }
  return compact;
};

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[-+]\d\d:\d\d)$/;

const LAYOUTS = { 0: "2006-01-02T15:04:05Z07:00", 6: "2006-01-02T15:04:05.000000Z07:00" } as const;

/** An instant in UTC with that many digits of a second. */
const instant =
  (digits: 0 | 6): Reader =>
  (value, place) => {
    if (typeof value !== "string") throw wrongType(value, place, "string");
    const match = RFC3339.exec(value);
    if (match === null) {
      throw new DecodeError(
        `parsing time ${goQuote(value)} as "${LAYOUTS[digits]}": cannot parse ${goQuote(value)} as "2006"`,
      );
    }
    const [, local = "", fraction = "", zone = ""] = match;
    const part = outOfRange(local);
    if (part !== undefined) throw new DecodeError(`parsing time ${goQuote(value)}: ${part} out of range`);
    const whole = new Date(`${local}${zone}`).toISOString().slice(0, 19);
    return digits === 0 ? `${whole}Z` : `${whole}.${fraction.padEnd(6, "0").slice(0, 6)}Z`;
  };

/** The first part of a date and time that no calendar has. */
function outOfRange(local: string): string | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = local.split(/\D/).map(Number);
  if (month < 1 || month > 12) return "month";
  if (hour > 23) return "hour";
  if (minute > 59) return "minute";
  if (second > 59) return "second";
  return day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate() ? "day" : undefined;
}

const QUANTITY = /^[-+]?[0-9.]+(?:[eE][-+]?[0-9]+|[numkKMGTPE]?i?)$/;

const quantity: Reader = (value) => {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && QUANTITY.test(text)) return text;
  throw new DecodeError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
};

const intOrString: Reader = (value, place) => (typeof value === "string" ? value : integer("int32")(value, place));

const strings: Reader = (value, place) => {
  if (!Array.isArray(value)) throw wrongType(value, place, "[]string");
  return value.map((item) => (item === null ? "" : READERS.string(item, place)));
};

const fields: Reader = (value) => (isJsonObject(value) ? value : {});

const asIs: Reader = (value) => value;

/** Reads one leaf that is not null. */
export const READERS: Record<LeafType, Reader> = {
  string: ofType("string", "string"),
  bool: ofType("boolean", "bool"),
  int32: integer("int32"),
  int64: integer("int64"),
  double: ofType("number", "float64"),
  bytes,
  time: instant(0),
  micro: instant(6),
  quantity,
  intorstring: intOrString,
  raw: asIs,
  json: asIs,
  fields,
  strings,
  schemaorarray: asIs,
  schemaorbool: asIs,
  schemaorstrings: asIs,
};
