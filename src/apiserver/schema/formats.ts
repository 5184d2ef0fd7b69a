/** The string formats that schemas may name, and what they accept. Unknown formats are ignored, as upstream ignores them. */

import { parseDuration } from "./go-duration.ts";
import { parseIp, parsePrefix } from "./ip-text.ts";
import { compilePattern } from "./pattern.ts";

export type FormatCheck = (text: string) => boolean;

const native =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

const shortName = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const isShortName = native(new RegExp(`^${shortName}$`));
const longNameChars = /^[a-z0-9.-]*$/;

function isLongName(text: string): boolean {
  return text.length <= 253 && longNameChars.test(text) && text.split(".").every(isShortName);
}

const hostname = compilePattern(
  "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$",
);
const bytesOf = (text: string): number => Buffer.byteLength(text);

function isHostname(text: string): boolean {
  return bytesOf(text) <= 255 && hostname.test(text) && text.split(".").every((label) => bytesOf(label) <= 63);
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A calendar date like 2006-01-02. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const length = month === 2 && leap ? 29 : (monthLengths[month - 1] ?? 0);
  return day >= 1 && day <= length;
}

function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split("t");
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time);
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

const durationWords = /(\d+)\s*([A-Za-zµ]+)/g;
const durationUnits = new Set(["ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"]);
const durationPrefixes = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

function isDurationText(text: string): boolean {
  if (parseDuration(text) !== undefined) return true;
  for (const [, , word] of text.matchAll(durationWords)) {
    const unit = (word ?? "").toLowerCase();
    if (durationUnits.has(unit) || durationPrefixes.some((p) => unit.startsWith(p))) return true;
  }
  return false;
}

function isMac(text: string): boolean {
  const octets = /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1)*[0-9a-f]{2}$/i;
  if (octets.test(text)) return [17, 23, 59].includes(text.length);
  return /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text) && [14, 19, 49].includes(text.length);
}

const isbnClean = (text: string): string => text.replace(/[\s-]+/g, "");

function isIsbn10(text: string): boolean {
  const digits = isbnClean(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((total, d, i) => total + (i + 1) * (d === "X" ? 10 : Number(d)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = isbnClean(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = [...digits.slice(0, 12)].reduce((total, d, i) => total + Number(d) * (i % 2 === 0 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10 === Number(digits[12]);
}

const cardNumber =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!cardNumber.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const weighed = i % 2 === 1 ? digit * 2 : digit;
    sum += weighed >= 10 ? (weighed % 10) + 1 : weighed;
  }
  return sum % 10 === 0;
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x20 || text.charCodeAt(i) === 0x7f) return true;
  return false;
}

/** A URI as Go's ParseRequestURI takes it: an absolute URI or an absolute path. */
export function isRequestUri(text: string): boolean {
  if (text === "" || hasControlCharacter(text)) return false;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$/s.exec(text);
  if (scheme === null)
    return text.startsWith("/") ? !/%(?![0-9a-fA-F]{2})/.test(text.split("?")[0] ?? "") : text === "*";
  const rest = scheme[2] ?? "";
  if (!rest.startsWith("/")) return rest !== "" || text === "*";
  return isHierarchy(rest);
}

function isHierarchy(rest: string): boolean {
  const [path] = rest.split("?");
  if (/%(?![0-9a-fA-F]{2})/.test(path ?? "")) return false;
  if (!rest.startsWith("//") || rest.startsWith("///")) return true;
  const authority = /^\/\/([^/?]*)/.exec(rest)?.[1] ?? "";
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (host.startsWith("[")) return /^\[[^\]]*\](?::\d*)?$/.test(host);
  return /^[^\s<>"\\^`{}|[\]:]*(?::\d*)?$/.test(host);
}

const dot = '[^\\s@<>()\\[\\]\\\\,;:"]+';
const address = new RegExp(`^${dot}@(?:${dot}|\\[[^\\]\\s]+\\])$`);

function isEmail(text: string): boolean {
  const angled = /^[^<>]*<([^<>]+)>$/.exec(text.trim());
  const spec = angled === null ? text.trim() : (angled[1] ?? "");
  return address.test(spec) && !/(^|@)\.|\.\.|\.(@|$)/.test(spec);
}

const uuid = (version: string, variant: string): FormatCheck =>
  native(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, "i"));

const colour = "(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])";
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

const checks: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ["bsonobjectid", native(/^[0-9a-f]{24}$/i)],
  ["uri", isRequestUri],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", (text) => text.includes(".") && parseIp(text, { leadingZeros: true }) !== undefined],
  ["ipv6", (text) => text.includes(":") && parseIp(text) !== undefined],
  ["cidr", (text) => parsePrefix(text, { leadingZeros: true }) !== undefined],
  ["mac", isMac],
  ["uuid", uuid("[0-9a-f]", "[0-9a-f]")],
  ["uuid3", uuid("3", "[0-9a-f]")],
  ["uuid4", uuid("4", "[89ab]")],
  ["uuid5", uuid("5", "[89ab]")],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["hexcolor", native(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", native(new RegExp(`^rgb\\(\\s*${colour}\\s*,\\s*${colour}\\s*,\\s*${colour}\\s*\\)$`))],
  ["byte", native(base64)],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDurationText],
  ["datetime", isDateTime],
  ["k8sshortname", (text) => text.length <= 63 && isShortName(text)],
  ["k8slongname", isLongName],
]);

const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

/** Whether a schema of this type may name this format with effect. */
export function isKnownFormat(type: string, format: string): boolean {
  if (type === "" || type === "string") return checks.has(format.replaceAll("-", ""));
  return numberFormats[type]?.includes(format) ?? false;
}

/** Whether a text has the named format; formats nobody knows accept everything. */
export function hasFormat(format: string, text: string): boolean {
  return checks.get(format.replaceAll("-", ""))?.(text) ?? true;
}

/** The format that takes effect for the types, and its check for strings. */
export function findFormat(
  types: readonly string[],
  format: string,
): { format: string; check: FormatCheck | undefined } {
  const type = types.length === 1 ? (types[0] ?? "") : "";
  if (format === "" || !isKnownFormat(type, format)) return { format: "", check: undefined };
  return { format, check: checks.get(format.replaceAll("-", "")) };
}
