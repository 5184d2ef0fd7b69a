/** String and bytes literals of CEL: quotes, triple quotes, raw strings and escapes. */
import { SourceError } from "./source.ts";

const simple: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
  "'": "'",
  "`": "`",
  "?": "?",
};

const digits: Readonly<Record<string, RegExp>> = {
  x: /^[0-9a-fA-F]{2}/,
  X: /^[0-9a-fA-F]{2}/,
  u: /^[0-9a-fA-F]{4}/,
  U: /^[0-9a-fA-F]{8}/,
};

interface Piece {
  /** Text, or one byte of a bytes literal. */
  readonly value: string | number;
  readonly length: number;
}

function numeric(body: string, bytes: boolean, offset: number): Piece | undefined {
  const letter = body[1] ?? "";
  const octal = /^[0-3][0-7]{2}/.exec(body.slice(1))?.[0];
  const hex = digits[letter]?.exec(body.slice(2))?.[0];
  if (octal === undefined && hex === undefined) return undefined;
  const code = octal === undefined ? Number.parseInt(hex ?? "", 16) : Number.parseInt(octal, 8);
  const length = octal === undefined ? 2 + (hex ?? "").length : 4;
  const isByte = octal !== undefined || letter === "x" || letter === "X";
  if (bytes && isByte) return { value: code, length };
  if (bytes || code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff))
    throw new SourceError(offset, "invalid unicode code point");
  return { value: String.fromCodePoint(code), length };
}

function readEscape(body: string, bytes: boolean, offset: number): Piece {
  const plain = simple[body[1] ?? ""];
  if (plain !== undefined) return { value: plain, length: 2 };
  const piece = numeric(body, bytes, offset);
  if (piece === undefined) throw new SourceError(offset, `unable to unescape string`);
  return piece;
}

function decode(body: string, raw: boolean, bytes: boolean, offset: number): string | Uint8Array {
  if (raw || !body.includes("\\")) return bytes ? Buffer.from(body) : body;
  const parts: (string | number)[] = [];
  for (let i = 0; i < body.length; ) {
    const next = body.indexOf("\\", i);
    if (next !== i) {
      const end = next < 0 ? body.length : next;
      parts.push(body.slice(i, end));
      i = end;
    } else {
      const piece = readEscape(body.slice(i, i + 10), bytes, offset);
      parts.push(piece.value);
      i += piece.length;
    }
  }
  if (!bytes) return parts.join("");
  return Buffer.concat(parts.map((p) => (typeof p === "number" ? Buffer.from([p]) : Buffer.from(p))));
}

function findEnd(text: string, from: number, quote: string, raw: boolean): number {
  for (let i = from; i < text.length; i++) {
    if (!raw && text[i] === "\\") i++;
    else if (text.startsWith(quote, i)) return i;
    else if (quote.length === 1 && text[i] === "\n") return -1;
  }
  return -1;
}

/** Reads one literal at the start of `text`, whose prefix letters are given. */
export function readQuoted(text: string, prefix: string, offset: number): { text: string; value: string | Uint8Array } {
  const raw = /r/i.test(prefix);
  const mark = text[prefix.length] ?? '"';
  const quote = text.startsWith(mark.repeat(3), prefix.length) ? mark.repeat(3) : mark;
  const start = prefix.length + quote.length;
  const end = findEnd(text, start, quote, raw);
  if (end < 0) throw new SourceError(offset, `Syntax error: token recognition error at: '${text.split("\n")[0]}'`);
  const value = decode(text.slice(start, end), raw, /b/i.test(prefix), offset);
  return { text: text.slice(0, end + quote.length), value };
}
