/** Simple JSON paths into a schema, such as .spec.foo['bar']: what fieldPath and selectableFields hold. */
import type { SchemaNode } from "./schema-node.ts";

export interface FoundField {
  /** The path as messages print it. */
  readonly path: string;
  readonly root: string;
  readonly node: SchemaNode;
}

const escapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

function tokensOf(path: string): string[] {
  return path.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gs) ?? [];
}

function unquote(token: string): string | { error: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'"))
    return { error: `expected single quoted string but got ${token}` };
  let bad: string | undefined;
  const text = token.slice(1, -1).replace(/\\(.)/gs, (all, c: string) => {
    const plain = escapes[c];
    if (plain === undefined) bad = all;
    return plain ?? "";
  });
  return bad === undefined ? text : { error: `invalid string literal: invalid escape char ${bad}` };
}

class Walker {
  path = "";
  root = "";
  node: SchemaNode;

  constructor(node: SchemaNode) {
    this.node = node;
  }

  /** Steps into a field or a map entry; says what is wrong when there is none. */
  step(name: string): string | undefined {
    if (this.root === "") this.root = name;
    if (this.node.properties.size > 0) {
      const child = this.node.properties.get(name);
      if (child === undefined) return "does not refer to a valid field";
      this.path += this.path === "" ? name : `.${name}`;
      this.node = child;
      return undefined;
    }
    if (this.node.additional === undefined || this.node.additional === true) return "does not refer to a valid field";
    this.path += `[${name}]`;
    this.node = this.node.additional;
    return undefined;
  }
}

function stepOf(
  tokens: readonly string[],
  at: number,
  allowBrackets: boolean,
): { name: string; used: number } | { error: string } {
  const [token = "", name] = [tokens[at], tokens[at + 1]];
  if (token !== "." && token !== "[") return { error: `expected [ or . but got: ${token}` };
  if (token === "[" && !allowBrackets) return { error: "array notation is not allowed" };
  if (name === undefined) return { error: "unexpected end of JSON path" };
  if (token === ".") return { name, used: 2 };
  const text = unquote(name);
  if (typeof text !== "string") return text;
  const close = tokens[at + 2];
  if (close === undefined) return { error: "unexpected end of JSON path" };
  return close === "]" ? { name: text, used: 3 } : { error: `expected ] but got ${close}` };
}

/** The field a path leads to, or why it leads nowhere. */
export function findField(path: string, schema: SchemaNode, allowBrackets = true): FoundField | string {
  const tokens = tokensOf(path);
  const walker = new Walker(schema);
  for (let at = 0; at < tokens.length; ) {
    const step = stepOf(tokens, at, allowBrackets);
    if ("error" in step) return step.error;
    const problem = walker.step(step.name);
    if (problem !== undefined) return problem;
    at += step.used;
  }
  return { path: walker.path, root: walker.root, node: walker.node };
}

/** The path as messages print it; empty when it is empty or leads nowhere. */
export function normalizeFieldPath(path: string, schema: SchemaNode): string {
  const found = path === "" ? "" : findField(path, schema);
  return typeof found === "string" ? "" : found.path;
}
