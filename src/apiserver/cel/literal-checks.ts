/** Literals that can be judged before any data: patterns, durations, timestamps. */
import type { CallExpr, Expr } from "./ast.ts";
import { toDuration, toTimestamp } from "./conversions.ts";
import { regexFor } from "./regex.ts";
import type { Problem } from "./source.ts";
import { CelError } from "./values.ts";

const checks: Readonly<Record<string, { readonly name: string; readonly check: (literal: string) => void }>> = {
  matches: { name: "matches", check: regexFor },
  duration: { name: "duration", check: toDuration },
  timestamp: { name: "timestamp", check: toTimestamp },
};

function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "select":
      return [expr.operand];
    case "call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "list":
      return expr.items;
    case "map":
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case "macro":
      return [
        expr.range,
        ...(expr.filter === undefined ? [] : [expr.filter]),
        ...(expr.filter === expr.body ? [] : [expr.body]),
      ];
    default:
      return [];
  }
}

function checkCall(expr: CallExpr): Problem | undefined {
  const rule = checks[expr.fn];
  const literal = expr.args.at(-1);
  if (rule === undefined || literal?.kind !== "const" || typeof literal.value !== "string") return undefined;
  try {
    rule.check(literal.value);
    return undefined;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { offset: literal.offset, message: `invalid ${rule.name} argument` };
  }
}

/** What is wrong with the literals of an expression. */
export function literalProblems(expr: Expr): Problem[] {
  const problems: Problem[] = [];
  const visit = (node: Expr): void => {
    const problem = node.kind === "call" ? checkCall(node) : undefined;
    if (problem !== undefined) problems.push(problem);
    childrenOf(node).forEach(visit);
  };
  visit(expr);
  return problems;
}
