/**
 * Walks JSON text without building values: finds the first syntax error in upstream's words, repeated keys, and nesting
 * beyond what the rest of the server may recurse into. It must never recurse itself, nor look at a character twice.
 */
import { DecodeError } from "./decode-error.ts";
import { goQuote } from "./go-quote.ts";

/** Upstream stops at 10,000; walkers here recurse on Node's stack, so the bound is lower. */
const MAX_DEPTH = 1_000;
const MAX_STRICT_ERRORS = 100;

interface Frame {
  readonly path: string;
  /** The keys seen so far; absent in a list. */
  readonly keys: Set<string> | undefined;
  key: string;
  index: number;
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isHex = (code: number): boolean => isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);

class JsonScanner {
  readonly duplicates = new Set<string>();
  private readonly text: string;
  private readonly frames: Frame[] = [];
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  scan(): void {
    this.skipSpace();
    this.value();
    while (this.frames.length > 0) this.step();
    this.skipSpace();
    if (this.at < this.text.length) this.fail("after top-level value");
  }

  private fail(context: string): never {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) throw new DecodeError("unexpected end of JSON input");
    throw new DecodeError(`invalid character ${quoteCharacter(code)} ${context}`);
  }

  private code(): number {
    return this.text.charCodeAt(this.at);
  }

  private skipSpace(): void {
    while (isSpace(this.code())) this.at++;
  }

  /** One value, or the opening of a container. */
  private value(): void {
    const code = this.code();
    if (code === 123) this.open(new Set());
    else if (code === 91) this.open(undefined);
    else if (code === 34) this.string();
    else if (code === 45 || isDigit(code)) this.number();
    else this.literal(code);
  }

  private literal(code: number): void {
    const word = code === 116 ? "true" : code === 102 ? "false" : code === 110 ? "null" : undefined;
    if (word === undefined) this.fail("looking for beginning of value");
    for (let i = 0; i < word.length; i++, this.at++) {
      if (this.code() !== word.charCodeAt(i))
        this.fail(`in literal ${word} (expecting ${quoteCharacter(word.charCodeAt(i))})`);
    }
  }

  private number(): void {
    if (this.code() === 45) this.at++;
    if (this.code() === 48) this.at++;
    else this.digits("in numeric literal");
    if (this.code() === 46) {
      this.at++;
      this.digits("after decimal point in numeric literal");
    }
    if ((this.code() | 32) !== 101) return;
    this.at++;
    if (this.code() === 43 || this.code() === 45) this.at++;
    this.digits("in exponent of numeric literal");
  }

  private digits(context: string): void {
    if (!isDigit(this.code())) this.fail(context);
    while (isDigit(this.code())) this.at++;
  }

  private string(): string {
    const start = ++this.at;
    let escaped = false;
    for (;;) {
      const code = this.code();
      if (code === 34) break;
      if (!(code >= 32)) this.fail("in string literal");
      if (code === 92) {
        escaped = true;
        this.escape();
      } else this.at++;
    }
    const raw = this.text.slice(start, this.at++);
    return escaped ? (JSON.parse(`"${raw}"`) as string) : raw;
  }

  private escape(): void {
    this.at++;
    if (this.code() !== 117) {
      if (!'"\\/bfnrt'.includes(this.text.charAt(this.at)) || this.at >= this.text.length)
        this.fail("in string escape code");
      this.at++;
      return;
    }
    for (let i = 0; i < 4; i++) {
      this.at++;
      if (!isHex(this.code())) this.fail("in \\u hexadecimal character escape");
    }
    this.at++;
  }

  private open(keys: Set<string> | undefined): void {
    if (this.frames.length >= MAX_DEPTH) throw new DecodeError("exceeded max depth");
    this.at++;
    this.frames.push({ path: this.here(), keys, key: "", index: -1 });
  }

  private here(): string {
    const parent = this.frames.at(-1);
    if (parent === undefined) return "";
    if (parent.keys === undefined) return `${parent.path}[${parent.index}]`;
    return parent.path === "" ? parent.key : `${parent.path}.${parent.key}`;
  }

  /** The next element of the innermost container, or its end. */
  private step(): void {
    const frame = this.frames.at(-1) as Frame;
    this.skipSpace();
    const close = frame.keys === undefined ? 93 : 125;
    const first = frame.index === -1;
    if (this.code() === close) {
      this.at++;
      this.frames.pop();
      return;
    }
    if (!first) this.comma(frame);
    frame.index++;
    if (frame.keys !== undefined) this.key(frame, frame.keys);
    this.value();
  }

  private comma(frame: Frame): void {
    if (this.code() !== 44) this.fail(frame.keys === undefined ? "after array element" : "after object key:value pair");
    this.at++;
    this.skipSpace();
  }

  private key(frame: Frame, keys: Set<string>): void {
    if (this.code() !== 34) this.fail("looking for beginning of object key string");
    frame.key = this.string();
    // Nothing downstream may meet a key that JavaScript treats as the object's prototype.
    if (frame.key === "__proto__") throw new DecodeError('the key "__proto__" is not supported');
    if (!keys.has(frame.key)) keys.add(frame.key);
    else if (this.duplicates.size < MAX_STRICT_ERRORS) this.duplicates.add(this.here());
    this.skipSpace();
    if (this.code() !== 58) this.fail("after object key");
    this.at++;
    this.skipSpace();
  }
}

function quoteCharacter(code: number): string {
  if (code === 39) return "'\\''";
  if (code === 34) return "'\"'";
  return `'${goQuote(String.fromCodePoint(code)).slice(1, -1)}'`;
}

/** Refuses text that is not JSON with Go's message; answers the paths of the keys that occur twice in one object. */
export function scanJson(text: string): string[] {
  const scanner = new JsonScanner(text);
  scanner.scan();
  return [...scanner.duplicates];
}
