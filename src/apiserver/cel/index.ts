/** The front door of CEL: rules of schemas, and programs for whoever needs expressions. */
export { type DeclaredType, declareType, maxCardinality } from "./declared-type.ts";
export { compileProgram, type Program } from "./program.ts";
export { type CompiledRule, compileRule } from "./rule.ts";
export { type RuleRunner, ruleRunner } from "./rule-runner.ts";
