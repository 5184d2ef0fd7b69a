/** Cuts a CEL expression into tokens. Offsets count code points, as upstream's positions do. */
import type { Literal } from "./ast.ts";
import { type Problem, SourceError } from "./source.ts";
import { readQuoted } from "./string-literal.ts";

export interface Token {
  readonly kind: "end" | "ident" | "literal" | "op";
  /** The text as written; for literals of any kind too. */
  readonly text: string;
  readonly value?: Literal;
  readonly offset: number;
}

const operators = [
  "==",
  "!=",
  "<=",
  ">=",
  "&&",
  "||",
  "<",
  ">",
  "!",
  "-",
  "+",
  "*",
  "/",
  "%",
  "?",
  ":",
  ".",
  ",",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
];
const space = /^(?:[\t\n\f\r ]+|\/\/[^\n]*)+/;
const ident = /^[A-Za-z_][A-Za-z0-9_]*/;
const backticked = /^`[A-Za-z0-9_.\-/ ]+`/;
const numberStart = /^(?:\d|\.\d)/;
const float = /^(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/;
const integer = /^(?:0x[0-9a-fA-F]+|\d+)[uU]?/;
const quoted = /^(?:[rR]?[bB]?|[bB][rR])(?=["'])/;

const maxUint64 = (1n << 64n) - 1n;

function numberToken(rest: string, offset: number): Token {
  const real = float.exec(rest)?.[0];
  if (real !== undefined) return { kind: "literal", text: real, value: Number(real), offset };
  const text = integer.exec(rest)?.[0] ?? "";
  const unsigned = /[uU]$/.test(text);
  const value = BigInt(unsigned ? text.slice(0, -1) : text);
  if (unsigned && value > maxUint64) throw new SourceError(offset, "invalid uint literal");
  return { kind: "literal", text, value: unsigned ? { unsigned: value } : value, offset };
}

const words: Readonly<Record<string, Literal>> = { true: true, false: false, null: null };

function wordToken(text: string, offset: number): Token {
  const value = Object.hasOwn(words, text) ? words[text] : undefined;
  if (value !== undefined) return { kind: "literal", text, value, offset };
  return text === "in" ? { kind: "op", text, offset } : { kind: "ident", text, offset };
}

function nextToken(rest: string, offset: number): Token {
  const prefix = quoted.exec(rest);
  if (prefix !== null) {
    const { text, value } = readQuoted(rest, prefix[0], offset);
    return { kind: "literal", text, value, offset };
  }
  const word = ident.exec(rest)?.[0];
  if (word !== undefined) return wordToken(word, offset);
  const escaped = backticked.exec(rest)?.[0];
  if (escaped !== undefined) return { kind: "ident", text: escaped.slice(1, -1), offset };
  if (numberStart.test(rest)) return numberToken(rest, offset);
  const operator = operators.find((op) => rest.startsWith(op));
  if (operator !== undefined) return { kind: "op", text: operator, offset };
  const pair = /^[=&|]/.test(rest) ? 2 : 1;
  const rune = [...rest.slice(0, 4)].slice(0, pair).join("");
  throw new SourceError(offset, `Syntax error: token recognition error at: '${rune}'`);
}

const runes = (text: string): number => [...text].length;

/** The length of a token in the source, which for escaped names differs from its text. */
function sourceLength(rest: string, token: Token): number {
  return rest.startsWith("`") ? token.text.length + 2 : token.text.length;
}

/** One token, or what stands there instead of one and how much of the text it takes. */
function tokenOrProblem(rest: string, offset: number): Token | { problem: Problem; length: number } {
  try {
    return nextToken(rest, offset);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const skipped = /at: '(.*)'$/s.exec(error.message)?.[1] ?? rest;
    return { problem: { offset: error.offset, message: error.message }, length: Math.max(1, skipped.length) };
  }
}

export interface Tokens {
  /** Ends with one of kind "end". */
  readonly tokens: Token[];
  readonly problems: Problem[];
}

/** Cuts the text into tokens, skipping and reporting what is none. */
export function tokenize(text: string): Tokens {
  const tokens: Token[] = [];
  const problems: Problem[] = [];
  let at = 0;
  let offset = 0;
  const advance = (length: number): void => {
    offset += runes(text.slice(at, at + length));
    at += length;
  };
  while (true) {
    const blank = space.exec(text.slice(at, at + 4096))?.[0] ?? "";
    advance(blank.length);
    if (blank.length === 4096) continue;
    if (at >= text.length) break;
    const rest = text.slice(at);
    const found = tokenOrProblem(rest, offset);
    if ("problem" in found) {
      problems.push(found.problem);
      advance(found.length);
    } else {
      tokens.push(found);
      advance(sourceLength(rest, found));
    }
  }
  tokens.push({ kind: "end", text: "<EOF>", offset });
  return { tokens, problems };
}
