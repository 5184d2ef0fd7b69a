/** Renders values the way Go's fmt and encoding/json do, so that messages equal upstream's byte for byte. Holds no state. */

const escapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\x20]$/u;
const jsonUnsafe = /[<>&\u2028\u2029]/g;

function escapeRune(rune: string): string {
  const short = escapes[rune];
  if (short !== undefined) return short;
  if (printable.test(rune)) return rune;
  const code = rune.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return "\\ufffd";
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x1_0000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}

/** A double-quoted Go string literal, as `%q` prints it. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let out = '"';
  for (const rune of text) out += escapeRune(rune);
  return `${out}"`;
}

/** A value that is printed as it stands, for structures whose JSON upstream writes in its own way. */
export class GoRaw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A number that is a float to Go even where it is whole: 1e6 prints as 1e+06. */
export class GoFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A float as `%v` prints it: with an exponent below 1e-4 and from 1e6 on. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

/** A JSON number as `%v` prints it: integers of 64 bits in full, everything else as a float. */
export function goNumber(value: number | bigint): string {
  if (typeof value === "bigint") return value.toString();
  const whole = Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
  return whole ? BigInt(value).toString() : goFloat(value);
}

function jsonString(text: string): string {
  return JSON.stringify(text).replace(jsonUnsafe, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** JSON as Go's encoder writes it: keys sorted, `<`, `>` and `&` escaped. */
export function goJson(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return jsonString(value);
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : "null";
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (typeof value !== "object") return "null";
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([k, v]) => `${jsonString(k)}:${goJson(v)}`).join(",")}}`;
}
