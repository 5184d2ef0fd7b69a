/** The syntax tree of CEL, annotated in place by the checker with types and overloads. */
import type { CelType } from "./types.ts";

interface Node {
  /** Where it is, in code points from the start. */
  readonly offset: number;
  /** Set by the checker. */
  type?: CelType;
}

export type Literal = null | boolean | bigint | number | string | Uint8Array | UintLiteral;

/** An unsigned literal such as 3u. */
export interface UintLiteral {
  readonly unsigned: bigint;
}

export interface ConstExpr extends Node {
  readonly kind: "const";
  readonly value: Literal;
}

export interface IdentExpr extends Node {
  readonly kind: "ident";
  readonly name: string;
}

export interface SelectExpr extends Node {
  readonly kind: "select";
  readonly operand: Expr;
  readonly field: string;
  /** has(a.b): asks whether the field is there. */
  readonly test: boolean;
  /** a.?b: the field if it is there. */
  readonly optional: boolean;
}

export interface CallExpr extends Node {
  readonly kind: "call";
  readonly fn: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
  /** The overloads that fit, set by the checker. */
  overloads?: readonly string[];
}

export interface ListExpr extends Node {
  readonly kind: "list";
  readonly items: readonly Expr[];
  readonly optionals: ReadonlySet<number>;
}

export interface MapEntry {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Node {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

export interface StructExpr extends Node {
  readonly kind: "struct";
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly value: Expr }[];
}

export type MacroName =
  | "all"
  | "exists"
  | "exists_one"
  | "map"
  | "filter"
  | "transformList"
  | "transformMap"
  | "transformMapEntry"
  | "optMap"
  | "optFlatMap";

/** A comprehension, kept as the macro it was written as: evaluation and cost know each one. */
export interface MacroExpr extends Node {
  readonly kind: "macro";
  readonly macro: MacroName;
  readonly range: Expr;
  readonly variables: readonly string[];
  readonly filter: Expr | undefined;
  readonly body: Expr;
}

export type Expr = ConstExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | MacroExpr;
