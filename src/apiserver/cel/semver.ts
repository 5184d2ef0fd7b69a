/** Semantic versions: parsing, ordering, parts. */
import { goQuote } from "../go-text.ts";
import { text } from "./string-functions.ts";
import { CelError, noSuchOverload, type Opaque, type Value } from "./values.ts";

const number = "(?:0|[1-9]\\d{0,18})";
const label = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const strict = new RegExp(
  `^(${number})\\.(${number})\\.(${number})(?:-(${label}(?:\\.${label})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);

export class Semver implements Opaque {
  readonly opaqueType = "kubernetes.Semver";
  readonly parts: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];

  constructor(parts: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    this.parts = parts;
    this.prerelease = prerelease;
  }

  equals(other: Value): boolean {
    return other instanceof Semver && compareVersions(this, other) === 0;
  }
}

/** Forgives a leading v, missing parts and leading zeros. */
function normalize(source: string): string {
  const bare = source.replace(/^v/, "");
  const end = bare.search(/[-+]/);
  const core = end < 0 ? bare : bare.slice(0, end);
  const parts = core.split(".").map((part) => (/^\d+$/.test(part) ? part.replace(/^0+(?=\d)/, "") : part));
  while (parts.length < 3) parts.push("0");
  return parts.join(".") + (end < 0 ? "" : bare.slice(end));
}

function parse(source: string, lenient: boolean): Semver | undefined {
  if (source.length > 256) return undefined;
  const match = strict.exec(lenient ? normalize(source) : source);
  if (match === null) return undefined;
  const parts = [BigInt(match[1] ?? 0), BigInt(match[2] ?? 0), BigInt(match[3] ?? 0)] as const;
  return new Semver(parts, match[4]?.split(".") ?? []);
}

function compareLabels(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareLabels(a[i] ?? "", b[i] ?? "");
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

export function compareVersions(a: Semver, b: Semver): number {
  for (let i = 0; i < 3; i++) {
    const [left, right] = [a.parts[i] ?? 0n, b.parts[i] ?? 0n];
    if (left !== right) return left < right ? -1 : 1;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

export function semver(value: Value | undefined): Semver {
  if (!(value instanceof Semver)) throw noSuchOverload();
  return value;
}

function semverProblem(source: string): string {
  const [major = "", minor = "", patch] = source.split(".");
  if (patch === undefined) return source === "" ? "Version string empty" : "No Major.Minor.Patch elements found";
  const parts = [
    ["major", major],
    ["minor", minor],
    ["patch", patch.replace(/[-+].*$/s, "")],
  ] as const;
  for (const [name, digits] of parts) {
    if (!/^\d+$/.test(digits)) return `Invalid character(s) found in ${name} number ${goQuote(digits)}`;
    if (/^0\d/.test(digits))
      return `${name[0]?.toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${goQuote(digits)}`;
  }
  return `Invalid character(s) found in prerelease ${goQuote(source)}`;
}

function fromText(source: string, lenient: boolean): Semver {
  const parsed = parse(source, lenient);
  if (parsed === undefined) throw new CelError(semverProblem(source));
  return parsed;
}

type Fn = (args: readonly Value[]) => Value;

export const semverFunctions: Readonly<Record<string, Fn>> = {
  semver: ([source, lenient]) => fromText(text(source), lenient === true),
  isSemver: ([source, lenient]) => parse(text(source), lenient === true) !== undefined,
  major: ([v]) => semver(v).parts[0],
  minor: ([v]) => semver(v).parts[1],
  patch: ([v]) => semver(v).parts[2],
};
