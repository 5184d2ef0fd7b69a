/** Rules at admission: do they compile, may they look at the old value, and can they become too expensive? */
import { type CompiledRule, compileRule, declareType, maxCardinality } from "../cel/index.ts";
import { type FieldError, forbidden, internalError, invalid } from "../field-error.ts";
import { GoRaw, goJson } from "../go-text.ts";
import type { JsonSchema, ValidationRule } from "./json-schema.ts";
import type { SchemaNode } from "./schema-node.ts";

const ruleLimit = 10_000_000;
const schemaLimit = 100_000_000;
const unlimited = 2 ** 64;

/** The estimated cost of all rules of a schema so far. */
export class TotalCost {
  total = 0;
  private readonly expensive: { readonly path: string; readonly cost: number }[] = [];

  observe(path: string, cost: number): void {
    this.total = Math.min(unlimited, this.total + cost);
    if (cost < schemaLimit / 100) return;
    this.expensive.push({ path, cost });
    this.expensive.sort((a, b) => b.cost - a.cost);
    this.expensive.length = Math.min(4, this.expensive.length);
  }

  /** What to say when all rules together are too expensive. */
  errors(path: string): FieldError[] {
    if (this.total <= schemaLimit) return [];
    const contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...this.expensive.map((rule) => forbidden(rule.path, contributed)),
      forbidden(path, tooExpensive(name, this.total, schemaLimit)),
    ];
  }
}

/** How often data of a schema can occur, as far as the schemas above it say. */
export interface CostContext {
  readonly cardinality: number | undefined;
  readonly total: TotalCost;
  readonly root: boolean;
}

export const rootContext = (): CostContext => ({ cardinality: 1, total: new TotalCost(), root: true });

function maxElements(schema: JsonSchema): number | undefined {
  if (schema.type === "object" && schema.additionalProperties !== undefined && schema.additionalProperties !== null)
    return typeof schema.maxProperties === "number" ? Math.max(0, schema.maxProperties) : undefined;
  if (schema.type === "array") return typeof schema.maxItems === "number" ? Math.max(0, schema.maxItems) : undefined;
  return 1;
}

/** The context below a schema. */
export function childContext(context: CostContext, schema: JsonSchema): CostContext {
  const factor = maxElements(schema);
  const known = context.cardinality !== undefined && factor !== undefined;
  const cardinality = known ? Math.min(unlimited, (context.cardinality ?? 0) * factor) : undefined;
  return { cardinality, total: context.total, root: false };
}

function tooExpensive(name: string, cost: number, limit: number): string {
  const excess = cost / limit;
  const factor = excess > 100 ? "more than 100x" : excess < 1.5 ? `${excess.toFixed(6)}x` : `${excess.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** A rule as upstream prints it in errors: its internal form, fields by their Go names. */
function printRule(rule: ValidationRule): GoRaw {
  const fields = [
    ["Rule", rule.rule ?? ""],
    ["Message", rule.message ?? ""],
    ["MessageExpression", rule.messageExpression ?? ""],
    ["Reason", rule.reason ?? null],
    ["FieldPath", rule.fieldPath ?? ""],
    ["OptionalOldSelf", rule.optionalOldSelf ?? null],
  ] as const;
  return new GoRaw(`{${fields.map(([name, value]) => `"${name}":${goJson(value)}`).join(",")}}`);
}

function costErrors(rule: CompiledRule, at: string, repeats: number, context: CostContext): FieldError[] {
  const errors: FieldError[] = [];
  const cost = rule.program === undefined ? 0 : Math.min(unlimited, rule.program.maxCost * repeats);
  if (cost > ruleLimit) errors.push(forbidden(`${at}.rule`, tooExpensive("estimated rule cost", cost, ruleLimit)));
  context.total.observe(`${at}.rule`, cost);
  return errors;
}

function messageErrors(rule: CompiledRule, at: string, context: CostContext): FieldError[] {
  if (rule.messageError !== undefined)
    return [invalid(`${at}.messageExpression`, printRule(rule.source), rule.messageError)];
  if (rule.message === undefined) return [];
  context.total.observe(`${at}.messageExpression`, rule.message.maxCost);
  if (rule.message.maxCost <= ruleLimit) return [];
  return [
    forbidden(
      `${at}.messageExpression`,
      tooExpensive("estimated messageExpression cost", rule.message.maxCost, ruleLimit),
    ),
  ];
}

function transitionErrors(rule: CompiledRule, at: string, uncorrelated: string | undefined): FieldError[] {
  const { source } = rule;
  if (!rule.usesOldSelf) {
    if (source.optionalOldSelf === undefined || source.optionalOldSelf === null) return [];
    return [invalid(`${at}.optionalOldSelf`, source.optionalOldSelf, "may not be set if oldSelf is not used in rule")];
  }
  if (uncorrelated === undefined) return [];
  return [
    invalid(
      `${at}.rule`,
      source.rule,
      `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`,
    ),
  ];
}

/** Everything wrong with the rules of one schema node. */
export function checkRules(
  node: SchemaNode,
  path: string,
  context: CostContext,
  uncorrelated: string | undefined,
): FieldError[] {
  const self = declareType(node, context.root || node.embedded);
  if (self === undefined)
    return [
      internalError(
        `${path}.x-kubernetes-validations`,
        "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations",
      ),
    ];
  const repeats = context.cardinality ?? maxCardinality(self.minSize);
  return node.rules.flatMap((source, i) => {
    const at = `${path}.x-kubernetes-validations[${i}]`;
    const rule = compileRule(source, self);
    const errors = costErrors(rule, at, repeats, context);
    if (rule.error !== undefined) errors.push(invalid(`${at}.rule`, printRule(source), rule.error));
    return [...errors, ...messageErrors(rule, at, context), ...transitionErrors(rule, at, uncorrelated)];
  });
}
