/** One step of a field path, in the spelling of FieldsV1: `f:name`, `k:{"name":"a"}`, `v:"item"`, `i:0`. */
import { goQuote } from "../decode/go-quote.ts";
import { isJsonObject, type Json } from "../json.ts";
import { TypedError } from "./typed-error.ts";

export type PathElement = string;

const FIELD = "f".charCodeAt(0);

const RANK: ReadonlyMap<string, number> = new Map([
  ["f", 0],
  ["k", 1],
  ["v", 2],
  ["i", 3],
]);

/** The step to a named field or map key. */
export const fieldElement = (name: string): PathElement => `f:${name}`;

/** The step to an item of a set. */
export const valueElement = (value: Json): PathElement => `v:${goJson(value)}`;

/** The step to an item of a keyed list. */
export function keyElement(keys: readonly (readonly [string, Json])[]): PathElement {
  const sorted = [...keys].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `k:{${sorted.map(([name, value]) => `${goJson(name)}:${goJson(value)}`).join(",")}}`;
}

/** Go escapes what HTML would trip over, and that spelling is stored in managedFields. */
function goJson(value: Json): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The normal spelling of an element that came from a client; undefined for kinds of element nobody knows. */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new TypedError("key must be 2 characters long:");
  if (text[1] !== ":") throw new TypedError(`missing colon: ${text}`);
  const body = text.slice(2);
  switch (text[0]) {
    case "f":
      return text;
    case "v":
      return valueElement(parseJson(body));
    case "k":
      return normalKey(parseJson(body));
    case "i":
      if (!/^[-+]?\d+$/.test(body)) throw new TypedError(`strconv.Atoi: parsing ${goQuote(body)}: invalid syntax`);
      return `i:${Number(body)}`;
    default:
      return undefined;
  }
}

function normalKey(value: Json): PathElement {
  if (!isJsonObject(value)) throw new TypedError("expect { or n, but found something else in a key element");
  return keyElement(Object.entries(value));
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new TypedError(`cannot parse ${goQuote(text)} as a value of a path element`);
  }
}

/** Upstream's order: fields, then keyed items, then set items, then indices. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a.charCodeAt(0) === FIELD && b.charCodeAt(0) === FIELD) return a < b ? -1 : a > b ? 1 : 0;
  const kind = (RANK.get(a.charAt(0)) ?? 9) - (RANK.get(b.charAt(0)) ?? 9);
  if (kind !== 0 || a === b) return kind;
  return compareValues(JSON.parse(a.slice(2)) as Json, JSON.parse(b.slice(2)) as Json);
}

const typeRank = (value: Json): number => {
  if (typeof value === "number") return 0;
  if (typeof value === "string") return 1;
  if (typeof value === "boolean") return 2;
  return value === null ? 4 : 3;
};

function compareValues(a: Json, b: Json): number {
  const kind = typeRank(a) - typeRank(b);
  if (kind !== 0) return kind;
  if (isJsonObject(a) && isJsonObject(b)) return compareKeys(Object.entries(a), Object.entries(b));
  if (a === null || b === null || a === b) return 0;
  return a < b ? -1 : 1;
}

function compareKeys(a: readonly [string, Json][], b: readonly [string, Json][]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const left = a[i];
    const right = b[i];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    if (left[0] !== right[0]) return left[0] < right[0] ? -1 : 1;
    const order = compareValues(left[1], right[1]);
    if (order !== 0) return order;
  }
  return 0;
}

/** The element as conflicts print it: `.spec`, `[name="a"]`, `[="x"]`, `[0]`. */
export function formatPathElement(element: PathElement): string {
  const body = element.slice(2);
  if (element.startsWith("f:")) return `.${body}`;
  if (element.startsWith("i:")) return `[${body}]`;
  const value = JSON.parse(body) as Json;
  if (element.startsWith("v:")) return `[=${formatValue(value)}]`;
  return `[${Object.entries(value as object)
    .map(([name, item]) => `${name}=${formatValue(item as Json)}`)
    .join(",")}]`;
}

function formatValue(value: Json): string {
  if (typeof value === "string") return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(",")}]`;
  if (isJsonObject(value))
    return Object.entries(value)
      .map(([key, item]) => `${key}=${formatValue(item)}`)
      .join("");
  return String(value);
}
