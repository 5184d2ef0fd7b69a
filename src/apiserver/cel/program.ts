/** An expression ready to run: parsed, checked against its variables, estimated, compiled. */
import { Budget, CostExceeded, perCallLimit } from "./budget.ts";
import { checkExpression } from "./checker.ts";
import { maxCost } from "./cost.ts";
import type { DeclaredType } from "./declared-type.ts";
import { compile, Slots, type Step } from "./evaluator.ts";
import { literalProblems } from "./literal-checks.ts";
import { parseExpression } from "./parser.ts";
import { renderProblems, SourceErrors } from "./source.ts";
import type { CelType } from "./types.ts";
import { CelError, type Value } from "./values.ts";

export interface Outcome {
  readonly value?: Value;
  readonly error?: CelError;
  /** What the evaluation cost, also when it failed. */
  readonly cost: number;
}

export interface Program {
  readonly type: CelType;
  /** The declared variables it reads. */
  readonly variables: ReadonlySet<string>;
  /** The worst cost for data of the declared type. */
  readonly maxCost: number;
  /** Runs it with the variables in the order of their declaration; undefined ones must not be read. Never throws a CelError. */
  run(values: readonly (Value | undefined)[]): Outcome;
}

export interface Declarations {
  readonly variables: readonly (readonly [string, CelType])[];
  /** What `self` is, for the estimate of cost. */
  readonly self: DeclaredType;
}

function runStep(step: Step, values: readonly (Value | undefined)[]): Outcome {
  const budget = new Budget(perCallLimit);
  try {
    return { value: step({ slots: [...values] as Value[], budget }), cost: budget.spent };
  } catch (error) {
    if (error instanceof CelError) return { error, cost: budget.spent };
    // The stack is the one resource that cost does not count.
    if (error instanceof RangeError) return { error: new CostExceeded(), cost: perCallLimit };
    throw error;
  }
}

/** Compiles an expression, or returns upstream's description of what is wrong with it. */
export function compileProgram(source: string, declarations: Declarations): Program | string {
  try {
    const expr = parseExpression(source);
    const names = new Map(declarations.variables);
    const { type, problems, variables } = checkExpression(expr, names);
    if (problems.length > 0) return renderProblems(source, problems);
    const invalid = literalProblems(expr);
    if (invalid.length > 0) return renderProblems(source, invalid);
    const step = compile(expr, new Slots([...names.keys()]));
    return { type, variables, maxCost: maxCost(expr, declarations.self), run: (values) => runStep(step, values) };
  } catch (error) {
    if (error instanceof SourceErrors) return renderProblems(source, error.problems);
    if (error instanceof RangeError)
      return renderProblems(source, [{ offset: 0, message: "expression recursion limit exceeded: 250" }]);
    throw error;
  }
}
