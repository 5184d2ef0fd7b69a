/** Reads a CEL expression into a tree. Refuses what is too long or too deep before it can hurt. */
import type { CallExpr, Expr, ListExpr, MapEntry, MapExpr, StructExpr } from "./ast.ts";
import { expandGlobalMacro, expandMemberMacro } from "./macros.ts";
import { SourceError, SourceErrors } from "./source.ts";
import { type Token, tokenize } from "./tokens.ts";

const maxCodePoints = 100_000;
const maxDepth = 250;

const primaries =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Words no identifier may be. */
const reserved = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

const relations = new Set(["<", "<=", ">=", ">", "==", "!=", "in"]);
const levels: readonly ReadonlySet<string>[] = [relations, new Set(["+", "-"]), new Set(["*", "/", "%"])];

class Parser {
  private at = 0;
  private depth = 0;
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  parse(): Expr {
    const expr = this.expression();
    if (this.token.kind !== "end") this.fail(`extraneous input '${this.token.text}' expecting <EOF>`);
    return expr;
  }

  private get token(): Token {
    return this.tokens[this.at] ?? { kind: "end", text: "<EOF>", offset: 0 };
  }

  private fail(detail: string): never {
    throw new SourceError(this.token.offset, `Syntax error: ${detail}`);
  }

  private isOp(text: string): boolean {
    return this.token.kind === "op" && this.token.text === text;
  }

  private take(): Token {
    const token = this.token;
    this.at++;
    return token;
  }

  private accept(text: string): boolean {
    if (!this.isOp(text)) return false;
    this.at++;
    return true;
  }

  private expect(text: string): Token {
    if (this.isOp(text)) return this.take();
    const following = this.tokens[this.at + 1];
    if (following?.kind === "op" && following.text === text)
      this.fail(`extraneous input '${this.token.text}' expecting '${text}'`);
    return this.fail(`missing '${text}' at '${this.token.text}'`);
  }

  private expression(): Expr {
    if (++this.depth > maxDepth) throw new SourceError(this.token.offset, "expression recursion limit exceeded: 250");
    const condition = this.logical("||", "_||_", () => this.logical("&&", "_&&_", () => this.binary(0)));
    const question = this.token;
    if (!this.accept("?")) {
      this.depth--;
      return condition;
    }
    const yes = this.logical("||", "_||_", () => this.logical("&&", "_&&_", () => this.binary(0)));
    this.expect(":");
    const no = this.expression();
    this.depth--;
    return call("_?_:_", [condition, yes, no], question.offset);
  }

  /** Terms of one logical operator, joined as a balanced tree so that long chains stay shallow. */
  private logical(op: string, fn: string, term: () => Expr): Expr {
    const terms = [term()];
    const offsets: number[] = [];
    while (this.isOp(op)) {
      offsets.push(this.take().offset);
      terms.push(term());
    }
    return balance(fn, terms, offsets, [0, terms.length - 1]);
  }

  private binary(level: number): Expr {
    const operators = levels[level];
    if (operators === undefined) return this.unary();
    let left = this.binary(level + 1);
    let length = 0;
    while (this.token.kind === "op" && operators.has(this.token.text)) {
      const { text, offset } = this.take();
      if (++length > maxDepth) throw new SourceError(offset, "expression recursion limit exceeded: 250");
      left = call(text === "in" ? "@in" : `_${text}_`, [left, this.binary(level + 1)], offset);
    }
    return left;
  }

  private unary(): Expr {
    const { offset } = this.token;
    const op = this.isOp("!") ? "!" : "-";
    let count = 0;
    while (this.accept(op)) count++;
    if (count === 0) return this.member(this.primary());
    if (op === "-" && count % 2 === 1 && this.token.kind === "literal") {
      const literal = negate(this.token, offset);
      if (literal !== undefined) {
        this.at++;
        return this.member(literal);
      }
    }
    const operand = this.member(this.primary());
    return count % 2 === 0 ? operand : call(op === "!" ? "!_" : "-_", [operand], offset);
  }

  private member(start: Expr): Expr {
    let expr = start;
    for (let links = 0; ; links++) {
      if (links > maxDepth) throw new SourceError(this.token.offset, "expression recursion limit exceeded: 250");
      const { offset } = this.token;
      if (this.accept(".")) expr = this.selection(expr, offset);
      else if (this.accept("[")) expr = this.index(expr, offset);
      else if (this.isOp("{")) {
        const name = qualifiedName(expr);
        if (name === undefined) return expr;
        expr = this.struct(name, offset);
      } else return expr;
    }
  }

  private selection(operand: Expr, offset: number): Expr {
    const optional = this.accept("?");
    if (this.token.kind !== "ident" && !(this.token.kind === "op" && this.token.text === "in"))
      this.fail(`no viable alternative at input '.${this.token.text}'`);
    const field = this.take().text;
    const open = this.token;
    if (optional || !this.accept("(")) return { kind: "select", operand, field, test: false, optional, offset };
    const args = this.list(")");
    return (
      expandMemberMacro({ target: operand, fn: field, args, offset: open.offset }) ??
      memberCall(operand, field, args, open.offset)
    );
  }

  private index(operand: Expr, offset: number): Expr {
    const optional = this.accept("?");
    const key = this.expression();
    this.expect("]");
    return call(optional ? "_[?_]" : "_[_]", [operand, key], offset);
  }

  private list(end: string): Expr[] {
    const items: Expr[] = [];
    while (!this.isOp(end)) {
      items.push(this.expression());
      if (!this.accept(",")) break;
    }
    this.expect(end);
    return items;
  }

  private primary(): Expr {
    const token = this.token;
    if (token.kind === "literal") return this.literal();
    if (this.accept("(")) {
      const expr = this.expression();
      this.expect(")");
      return expr;
    }
    if (this.accept("[")) return this.listLiteral(token.offset);
    if (this.isOp("{")) return this.mapLiteral(token.offset);
    const leading = this.accept(".");
    if (this.token.kind !== "ident") this.fail(`mismatched input '${this.token.text}' expecting ${primaries}`);
    return this.name(leading);
  }

  private literal(): Expr {
    const { value = null, offset } = this.take();
    if (typeof value === "bigint" && value > 9223372036854775807n) throw new SourceError(offset, "invalid int literal");
    return { kind: "const", value, offset };
  }

  private name(leading: boolean): Expr {
    const { text, offset } = this.take();
    if (reserved.has(text)) throw new SourceError(offset, `reserved identifier: ${text}`);
    const open = this.token;
    if (!this.accept("(")) return { kind: "ident", name: leading ? `.${text}` : text, offset };
    const args = this.list(")");
    return expandGlobalMacro(text, args, open.offset) ?? call(text, args, open.offset);
  }

  private listLiteral(offset: number): ListExpr {
    const items: Expr[] = [];
    const optionals = new Set<number>();
    while (!this.isOp("]")) {
      if (this.accept("?")) optionals.add(items.length);
      items.push(this.expression());
      if (!this.accept(",")) break;
    }
    this.expect("]");
    return { kind: "list", items, optionals, offset };
  }

  private mapLiteral(offset: number): MapExpr {
    this.expect("{");
    const entries: MapEntry[] = [];
    while (!this.isOp("}")) {
      const optional = this.accept("?");
      const key = this.expression();
      this.expect(":");
      entries.push({ key, value: this.expression(), optional });
      if (!this.accept(",")) break;
    }
    this.expect("}");
    return { kind: "map", entries, offset };
  }

  private struct(name: string, offset: number): StructExpr {
    this.expect("{");
    const fields: { name: string; value: Expr }[] = [];
    while (!this.isOp("}")) {
      if (this.token.kind !== "ident") this.fail(`mismatched input '${this.token.text}' expecting IDENTIFIER`);
      const field = this.take().text;
      this.expect(":");
      fields.push({ name: field, value: this.expression() });
      if (!this.accept(",")) break;
    }
    this.expect("}");
    return { kind: "struct", name, fields, offset };
  }
}

function call(fn: string, args: readonly Expr[], offset: number): CallExpr {
  return { kind: "call", fn, target: undefined, args, offset };
}

function memberCall(target: Expr, fn: string, args: readonly Expr[], offset: number): CallExpr {
  return { kind: "call", fn, target, args, offset };
}

function negate(token: Token, offset: number): Expr | undefined {
  if (typeof token.value === "bigint") {
    if (token.value > 1n << 63n) throw new SourceError(offset, "invalid int literal");
    return { kind: "const", value: -token.value, offset };
  }
  return typeof token.value === "number" ? { kind: "const", value: -token.value, offset } : undefined;
}

function balance(
  fn: string,
  terms: readonly Expr[],
  offsets: readonly number[],
  [from, to]: readonly [number, number],
): Expr {
  const only = terms[from];
  if (from === to && only !== undefined) return only;
  const middle = from + Math.floor((to - from - 1) / 2);
  const left = balance(fn, terms, offsets, [from, middle]);
  return call(fn, [left, balance(fn, terms, offsets, [middle + 1, to])], offsets[middle] ?? 0);
}

function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.test || expr.optional) return undefined;
  const head = qualifiedName(expr.operand);
  return head === undefined ? undefined : `${head}.${expr.field}`;
}

/** The dotted name that an expression spells, if it spells one. */
export { qualifiedName };

/** Parses an expression; throws SourceErrors naming the places. */
export function parseExpression(text: string): Expr {
  const size = [...text].length;
  if (size > maxCodePoints)
    throw SourceErrors.at(0, `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`);
  const { tokens, problems } = tokenize(text);
  try {
    const expr = new Parser(tokens).parse();
    if (problems.length === 0) return expr;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    problems.push({ offset: error.offset, message: error.message });
  }
  throw new SourceErrors(problems);
}
