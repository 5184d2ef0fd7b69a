/** One x-kubernetes-validations rule: compiled once, judged at admission, run on every object. */
import type { ValidationRule } from "../schema/json-schema.ts";
import { type DeclaredType, nameTypes } from "./declared-type.ts";
import { compileProgram, type Declarations, type Program } from "./program.ts";
import { type CelType, optionalOf } from "./types.ts";

export interface CompiledRule {
  readonly source: ValidationRule;
  readonly program: Program | undefined;
  /** Why the rule cannot run, in upstream's words. */
  readonly error: string | undefined;
  readonly usesOldSelf: boolean;
  readonly message: Program | undefined;
  readonly messageError: string | undefined;
}

function compileMessage(
  source: ValidationRule,
  declarations: Declarations,
): Pick<CompiledRule, "message" | "messageError"> {
  const expression = source.messageExpression ?? "";
  if (expression === "") return { message: undefined, messageError: undefined };
  const program = compileProgram(expression, declarations);
  if (typeof program === "string")
    return { message: undefined, messageError: `messageExpression compilation failed: ${program}` };
  if (program.type.kind !== "string")
    return { message: undefined, messageError: "messageExpression must evaluate to a string" };
  return { message: program, messageError: undefined };
}

const broken = (source: ValidationRule, error: string | undefined): CompiledRule => ({
  source,
  program: undefined,
  error,
  usesOldSelf: false,
  message: undefined,
  messageError: undefined,
});

/** Compiles a rule for data of the declared type. */
export function compileRule(source: ValidationRule, self: DeclaredType): CompiledRule {
  if ((source.rule ?? "").trim() === "") return broken(source, undefined);
  nameTypes(self, "selfType0");
  const oldSelf: CelType = source.optionalOldSelf === true ? optionalOf(self.type) : self.type;
  const declarations: Declarations = {
    self,
    variables: [
      ["self", self.type],
      ["oldSelf", oldSelf],
    ],
  };
  const program = compileProgram(source.rule, declarations);
  if (typeof program === "string") return broken(source, `compilation failed: ${program}`);
  if (program.type.kind !== "bool") return broken(source, "cel expression must evaluate to a bool");
  return {
    source,
    program,
    error: undefined,
    usesOldSelf: program.variables.has("oldSelf"),
    ...compileMessage(source, declarations),
  };
}
