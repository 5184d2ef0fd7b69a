/** What names may look like, and how they are made up from a prefix. Texts are upstream's. */
import type { Random } from "#clock";
import { subdomainProblems } from "../selector/index.ts";

export type NameCheck = (name: string, isPrefix: boolean) => string[];

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_FORMAT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  `alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL_FORMAT}')`;
const DNS_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const DNS_1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end " +
  "with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** A prefix may end in a dash, because something follows it. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}

/** Of names upstream counts characters where of label prefixes it counts bytes. */
export const subdomainName: NameCheck = (name, isPrefix) =>
  subdomainProblems(isPrefix ? maskTrailingDash(name) : name).map((why) => why.replace(/253 bytes$/, "253 characters"));

export const labelName: NameCheck = (name, isPrefix) => labelProblems(isPrefix ? maskTrailingDash(name) : name);

export const serviceName: NameCheck = (name, isPrefix) =>
  shapeProblems(isPrefix ? maskTrailingDash(name) : name, DNS_1035, DNS_1035_TEXT);

export function labelProblems(name: string): string[] {
  return shapeProblems(name, LABEL, LABEL_TEXT);
}

function shapeProblems(name: string, shape: RegExp, text: string): string[] {
  const problems = Buffer.byteLength(name) > 63 ? ["must be no more than 63 bytes"] : [];
  return shape.test(name) ? problems : [...problems, text];
}

/** Anything that can stand between two slashes of a URL. */
export const pathSegmentName: NameCheck = (name, isPrefix) => {
  const problems = isPrefix ? [] : [".", ".."].filter((n) => n === name).map((n) => `may not be '${n}'`);
  for (const character of ["/", "%"]) {
    if (name.includes(character)) problems.push(`may not contain '${character}'`);
  }
  return problems;
};

const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const MAX_GENERATED = 63;
const SUFFIX_LENGTH = 5;

/** A name with a random end; the prefix is cut so that the whole fits. */
export function generateName(prefix: string, random: Random): string {
  const base = prefix.slice(0, MAX_GENERATED - SUFFIX_LENGTH);
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET[Math.floor(random.next() * ALPHABET.length)]);
  return base + suffix.join("");
}

/** A version 4 UUID from the injected randomness, so that a seed repeats a run. */
export function generateUid(random: Random): string {
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(random.next() * 16).toString(16)).join("");
  const variant = "89ab"[Math.floor(random.next() * 4)];
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
}
