/** The macros of CEL: which calls they are, and what they become. */
import type { Expr, MacroExpr, MacroName } from "./ast.ts";
import { SourceError } from "./source.ts";

interface MemberCall {
  readonly target: Expr;
  readonly fn: string;
  readonly args: readonly Expr[];
  readonly offset: number;
}

interface Shape {
  readonly variables: number;
  readonly expressions: readonly number[];
}

/** How many variables and expressions each macro takes; `map` with two expressions filters by the first. */
const shapes: ReadonlyMap<string, readonly (Shape & { readonly macro: MacroName })[]> = new Map([
  [
    "all",
    [
      { macro: "all", variables: 1, expressions: [1] },
      { macro: "all", variables: 2, expressions: [1] },
    ],
  ],
  [
    "exists",
    [
      { macro: "exists", variables: 1, expressions: [1] },
      { macro: "exists", variables: 2, expressions: [1] },
    ],
  ],
  ["exists_one", [{ macro: "exists_one", variables: 1, expressions: [1] }]],
  [
    "existsOne",
    [
      { macro: "exists_one", variables: 1, expressions: [1] },
      { macro: "exists_one", variables: 2, expressions: [1] },
    ],
  ],
  ["map", [{ macro: "map", variables: 1, expressions: [1, 2] }]],
  ["filter", [{ macro: "filter", variables: 1, expressions: [1] }]],
  ["transformList", [{ macro: "transformList", variables: 2, expressions: [1, 2] }]],
  ["transformMap", [{ macro: "transformMap", variables: 2, expressions: [1, 2] }]],
  ["transformMapEntry", [{ macro: "transformMapEntry", variables: 2, expressions: [1, 2] }]],
  ["optMap", [{ macro: "optMap", variables: 1, expressions: [1] }]],
  ["optFlatMap", [{ macro: "optFlatMap", variables: 1, expressions: [1] }]],
]);

function variableName(expr: Expr | undefined): string {
  if (expr?.kind === "ident") {
    if (expr.name === "__result__")
      throw new SourceError(expr.offset, "iteration variable overwrites accumulator variable");
    return expr.name;
  }
  throw new SourceError(expr?.offset ?? 0, "argument must be a simple name");
}

/** The macro that a member call is, or undefined when it is an ordinary call. */
export function expandMemberMacro({ target, fn, args, offset }: MemberCall): MacroExpr | undefined {
  const shape = shapes.get(fn)?.find((s) => s.expressions.includes(args.length - s.variables));
  if (shape === undefined) return undefined;
  const variables = args.slice(0, shape.variables).map(variableName);
  if (variables.length === 2 && variables[0] === variables[1])
    throw new SourceError(args[1]?.offset ?? offset, `duplicate variable name: ${variables[0]}`);
  const [first, second] = args.slice(shape.variables);
  if (first === undefined) return undefined;
  const filter = shape.macro === "filter" || second !== undefined ? first : undefined;
  return { kind: "macro", macro: shape.macro, range: target, variables, filter, body: second ?? first, offset };
}

/** has(a.b) is the only global macro. */
export function expandGlobalMacro(fn: string, args: readonly Expr[], offset: number): Expr | undefined {
  const [argument] = args;
  if (fn !== "has" || args.length !== 1 || argument === undefined) return undefined;
  if (argument.kind !== "select" || argument.test)
    throw new SourceError(argument.offset, "invalid argument to has() macro");
  return { ...argument, test: true, offset };
}
