/** The string library of rules. Indices count code points. */
import { goQuote } from "../go-text.ts";
import { formatString } from "./format-string.ts";
import { findAll, regexFor } from "./regex.ts";
import { CelError, ListValue, noSuchOverload, type Value } from "./values.ts";

type Fn = (args: readonly Value[]) => Value;

export function text(value: Value | undefined): string {
  if (typeof value !== "string") throw noSuchOverload();
  return value;
}

export function integer(value: Value | undefined): number {
  if (typeof value !== "bigint") throw noSuchOverload();
  return Number(value);
}

const isAscii = (value: string): boolean => /^[\x20-\x7e\t\n\r]*$/.test(value);
const runesOf = (value: string): readonly string[] | string => (isAscii(value) ? value : [...value]);
const joinRunes = (runes: readonly string[] | string): string => (typeof runes === "string" ? runes : runes.join(""));

function charAt([target, index]: readonly Value[]): Value {
  const runes = runesOf(text(target));
  const at = integer(index);
  if (at < 0 || at > runes.length) throw new CelError(`index out of range: ${at}`);
  return runes[at] ?? "";
}

function substring([target, from, to]: readonly Value[]): Value {
  const runes = runesOf(text(target));
  const start = integer(from);
  const end = to === undefined ? runes.length : integer(to);
  if (to !== undefined && start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > runes.length) throw new CelError(`index out of range: ${start}`);
  if (end < 0 || end > runes.length) throw new CelError(`index out of range: ${end}`);
  return joinRunes(runes.slice(start, end));
}

/** A UTF-16 index as a code point index. */
function runeIndex(whole: string, at: number): bigint {
  return BigInt(at < 0 ? -1 : runesOf(whole.slice(0, at)).length);
}

function indexOf([target, needle, from]: readonly Value[]): Value {
  const [whole, part] = [text(target), text(needle)];
  const offset = from === undefined ? 0 : integer(from);
  const runes = runesOf(whole);
  if (part === "") return BigInt(offset);
  if (offset < 0 || (from !== undefined && offset >= runes.length)) throw new CelError(`index out of range: ${offset}`);
  return runeIndex(whole, whole.indexOf(part, joinRunes(runes.slice(0, offset)).length));
}

function lastIndexOf([target, needle, from]: readonly Value[]): Value {
  const [whole, part] = [text(target), text(needle)];
  const runes = runesOf(whole);
  if (from === undefined) return part === "" ? BigInt(runes.length) : runeIndex(whole, whole.lastIndexOf(part));
  const offset = integer(from);
  if (part === "") return BigInt(offset);
  if (offset < 0 || offset >= runes.length) throw new CelError(`index out of range: ${offset}`);
  return runeIndex(whole, whole.lastIndexOf(part, joinRunes(runes.slice(0, offset)).length));
}

function replace([target, from, to, limit]: readonly Value[]): Value {
  const [whole, old, fresh] = [text(target), text(from), text(to)];
  const most = limit === undefined ? -1 : integer(limit);
  if (old === "") return replaceEmpty(whole, fresh, most);
  const parts = whole.split(old);
  if (most < 0) return parts.join(fresh);
  const head = parts.slice(0, most + 1);
  return [head.join(fresh), ...parts.slice(most + 1)].join(old);
}

/** Replacing nothing puts the text between all characters. */
function replaceEmpty(whole: string, fresh: string, most: number): string {
  const runes = [...whole];
  let out = "";
  for (let i = 0; i <= runes.length; i++) out += (most < 0 || i < most ? fresh : "") + (runes[i] ?? "");
  return out;
}

function split([target, separator, limit]: readonly Value[]): Value {
  const [whole, by] = [text(target), text(separator)];
  const most = limit === undefined ? -1 : integer(limit);
  const parts = by === "" ? [...whole] : whole.split(by);
  if (most === 0) return new ListValue([]);
  if (most < 0 || parts.length <= most) return new ListValue(parts);
  return new ListValue([...parts.slice(0, most - 1), parts.slice(most - 1).join(by)]);
}

function join([list, separator]: readonly Value[]): Value {
  if (!(list instanceof ListValue)) throw noSuchOverload();
  return [...list].map((item) => text(item)).join(separator === undefined ? "" : text(separator));
}

const lower = (value: string): string => value.replace(/[A-Z]/g, (c) => c.toLowerCase());
const upper = (value: string): string => value.replace(/[a-z]/g, (c) => c.toUpperCase());
const blank = "[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const leading = new RegExp(`^${blank}+`);
const trailingChar = new RegExp(blank);

/** Trims without backtracking over long runs of blanks. */
function trim(value: string): string {
  const start = value.replace(leading, "");
  let end = start.length;
  while (end > 0 && trailingChar.test(start[end - 1] ?? "x")) end--;
  return start.slice(0, end);
}

function find([target, pattern]: readonly Value[]): Value {
  return findAll(text(target), text(pattern), 1)[0] ?? "";
}

const on =
  (fn: (value: string) => Value): Fn =>
  ([target]) =>
    fn(text(target));
const on2 =
  (fn: (value: string, other: string) => Value): Fn =>
  ([target, other]) =>
    fn(text(target), text(other));

export const stringFunctions: Readonly<Record<string, Fn>> = {
  contains: on2((a, b) => a.includes(b)),
  startsWith: on2((a, b) => a.startsWith(b)),
  endsWith: on2((a, b) => a.endsWith(b)),
  matches: on2((a, b) => regexFor(b).test(a)),
  charAt,
  substring,
  indexOf,
  lastIndexOf,
  lowerAscii: on(lower),
  upperAscii: on(upper),
  trim: on(trim),
  replace,
  split,
  join,
  find,
  findAll: ([target, pattern, limit]) =>
    new ListValue(findAll(text(target), text(pattern), limit === undefined ? -1 : integer(limit))),
  "strings.quote": on(goQuote),
  format: ([target, args]) => {
    if (!(args instanceof ListValue)) throw noSuchOverload();
    return formatString(text(target), [...args]);
  },
};
