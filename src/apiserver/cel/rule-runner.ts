/** Runs the rules of a schema over an object and reports what they refuse. Spends at most one budget per object. */
import { duplicate, type FieldError, forbidden, invalid, noField, required } from "../field-error.ts";
import { goQuote } from "../go-text.ts";
import type { Correlation } from "../schema/correlation.ts";
import { mapListKey } from "../schema/correlation.ts";
import { normalizeFieldPath } from "../schema/field-path.ts";
import { hasKey, isJsonObject, type JsonObject, type SchemaNode } from "../schema/schema-node.ts";
import { CostExceeded, perObjectLimit } from "./budget.ts";
import { type DeclaredType, declareType } from "./declared-type.ts";
import { type CompiledRule, compileRule } from "./rule.ts";
import { CelError, Optional, type Value } from "./values.ts";

/** The rules at one place of a schema and below it. */
interface RuleNode {
  readonly schema: SchemaNode;
  readonly self: DeclaredType;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional: RuleNode | undefined;
  readonly items: RuleNode | undefined;
}

/** Where a value stands between the old and the new object. */
interface Place {
  readonly path: string;
  readonly old: unknown;
  readonly correlation: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

/** No further rules run for this object. */
class Stop extends Error {}

const ruleText = (rule: CompiledRule): string =>
  rule.source.message ? rule.source.message.trim() : rule.source.rule.trim();

const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

class RuleRun {
  readonly errors: FieldError[] = [];
  private remaining = perObjectLimit;

  visit(value: unknown, node: RuleNode, place: Place): void {
    if (value === null || value === undefined) return;
    if (node.rules.length > 0) this.runAll(value, node, place);
    if (Array.isArray(value)) this.visitItems(value, node, place);
    else if (isJsonObject(value)) this.visitFields(value, node, place);
  }

  private visitItems(list: readonly unknown[], node: RuleNode, place: Place): void {
    const items = node.items;
    if (items === undefined) return;
    const keyed = node.schema.listType === "map" && Array.isArray(place.old);
    const olds = keyed
      ? new Map((place.old as unknown[]).map((item) => [mapListKey(item, node.schema), item]))
      : undefined;
    list.forEach((item, i) => {
      const old = olds?.get(mapListKey(item, node.schema));
      this.visit(item, items, next(place, `${place.path}[${i}]`, old, place.correlation?.index(i)));
    });
  }

  private visitFields(object: JsonObject, node: RuleNode, place: Place): void {
    for (const key in object) {
      const declared = node.properties.get(key);
      const child = declared ?? node.additional;
      if (child === undefined) continue;
      const path = declared === undefined ? `${place.path}[${key}]` : joinPath(place.path, key);
      this.visit(object[key], child, fieldPlace(place, key, path));
    }
  }

  private runAll(value: unknown, node: RuleNode, place: Place): void {
    const field = place.path === "" ? noField : place.path;
    const type = node.schema.source.type ?? "";
    if (this.remaining <= 0) this.stop(invalid(field, type, outOfBudget));
    const self = attempt(() => node.self.convert(value));
    const isUpdate = place.old !== undefined && place.old !== null;
    for (const rule of node.rules) {
      if (rule.error !== undefined) this.errors.push(invalid(field, type, `rule compile error: ${rule.error}`));
      if (rule.program === undefined || (rule.usesOldSelf && !isUpdate && rule.source.optionalOldSelf !== true))
        continue;
      this.runOne(rule, [self, oldSelf(rule, node, place)], { value, node, place, field });
    }
  }

  private runOne(rule: CompiledRule, variables: readonly (Value | CelError | undefined)[], at: RuleSite): void {
    const broken = variables.find((v): v is CelError => v instanceof CelError);
    const values = variables as readonly (Value | undefined)[];
    const outcome = broken !== undefined ? { error: broken, cost: 0 } : rule.program?.run(values);
    if (outcome === undefined) return;
    const type = at.node.schema.source.type ?? "";
    if (outcome.cost > this.remaining) this.stop(invalid(at.field, type, outOfBudget));
    this.remaining -= outcome.cost;
    if (outcome.error !== undefined) this.reportFailure(rule, outcome.error, at);
    else if (outcome.value !== true) this.reportRefusal(rule, values, at);
  }

  private reportFailure(rule: CompiledRule, error: CelError, { field, node }: RuleSite): void {
    const type = node.schema.source.type ?? "";
    if (error instanceof CostExceeded)
      this.stop(
        invalid(
          field,
          type,
          `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`,
        ),
      );
    const detail = error.message.startsWith("no such overload")
      ? `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}`
      : `${error.message} evaluating rule: ${ruleText(rule)}`;
    this.errors.push(invalid(field, type, detail));
  }

  private reportRefusal(rule: CompiledRule, values: readonly (Value | undefined)[], at: RuleSite): void {
    const path = normalizeFieldPath(rule.source.fieldPath ?? "", at.node.schema);
    const field = path === "" ? at.field : joinPath(at.place.path, path);
    const detail =
      this.evaluateMessage(rule, values, field, at) ??
      (rule.source.message ? ruleText(rule) : `failed rule: ${ruleText(rule)}`);
    const type = at.node.schema.source.type;
    const shown = type === "object" || type === "array" ? undefined : at.value;
    this.refuse(rule, at, errorForReason(field, shown, detail, rule.source.reason));
  }

  /** An error of an unchanged part passes unless its rule looks at the old value. */
  private refuse(rule: CompiledRule, { place }: RuleSite, error: FieldError): void {
    const compared = place.correlation ?? place.nearest;
    if (rule.usesOldSelf || compared?.unchanged !== true) this.errors.push(error);
  }

  private evaluateMessage(
    rule: CompiledRule,
    values: readonly (Value | undefined)[],
    field: string,
    at: RuleSite,
  ): string | undefined {
    if (rule.message === undefined) return undefined;
    const type = at.node.schema.source.type ?? "";
    const { value, error, cost } = rule.message.run(values);
    const broke = error instanceof CostExceeded;
    if (cost > this.remaining || broke) {
      const why = broke
        ? `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${goQuote(rule.source.messageExpression ?? "")}`
        : "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
      this.refuse(rule, at, invalid(field, type, why));
      throw new Stop();
    }
    this.remaining -= cost;
    return usableMessage(value);
  }

  private stop(error: FieldError): never {
    this.errors.push(error);
    throw new Stop();
  }
}

interface RuleSite {
  readonly value: unknown;
  readonly node: RuleNode;
  readonly place: Place;
  readonly field: string;
}

const joinPath = (base: string, path: string): string =>
  base === "" ? path : path.startsWith("[") ? `${base}${path}` : `${base}.${path}`;

/** A message must be one short line; otherwise the rule's own message stands in. */
function usableMessage(value: Value | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" || text.includes("\n") || Buffer.byteLength(text) > 5 * 1024 ? undefined : text;
}

function errorForReason(field: string, value: unknown, detail: string, reason: string | undefined): FieldError {
  if (reason === "FieldValueForbidden") return forbidden(field, detail);
  if (reason === "FieldValueRequired") return required(field, detail);
  return reason === "FieldValueDuplicate" ? duplicate(field, value) : invalid(field, value, detail);
}

function attempt(convert: () => Value): Value | CelError {
  try {
    return convert();
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}

function oldSelf(rule: CompiledRule, node: RuleNode, place: Place): Value | CelError | undefined {
  if (!rule.usesOldSelf) return undefined;
  const missing = place.old === undefined || place.old === null;
  if (missing) return rule.source.optionalOldSelf === true ? Optional.none : undefined;
  const value = attempt(() => node.self.convert(place.old));
  return rule.source.optionalOldSelf === true && !(value instanceof CelError) ? new Optional(value) : value;
}

function next(place: Place, path: string, old: unknown, correlation: Correlation | undefined): Place {
  if (place.correlation === undefined) return { path, old, correlation: undefined, nearest: place.nearest };
  return { path, old, correlation, nearest: place.correlation };
}

function fieldPlace(place: Place, key: string, path: string): Place {
  const old = isJsonObject(place.old) && hasKey(place.old, key) ? place.old[key] : undefined;
  // Old and new are converted to the same version first, so changes of these two cannot be seen.
  const hidden = place.nearest === undefined && (key === "apiVersion" || key === "kind");
  if (hidden) return { path, old, correlation: undefined, nearest: undefined };
  return next(place, path, old, place.correlation?.key(key));
}

function buildNode(schema: SchemaNode, self: DeclaredType): RuleNode {
  const properties = new Map<string, RuleNode>();
  for (const [name, property] of schema.properties) {
    const declared = property.below.rules ? declareType(property, property.embedded) : undefined;
    if (declared !== undefined) properties.set(name, buildNode(property, declared));
  }
  const child = (node: SchemaNode | true | undefined): RuleNode | undefined => {
    const declared =
      node === undefined || node === true || !node.below.rules ? undefined : declareType(node, node.embedded);
    return declared === undefined || node === undefined || node === true ? undefined : buildNode(node, declared);
  };
  const rules = schema.rules.map((rule) => compileRule(rule, self));
  return { schema, self, rules, properties, additional: child(schema.additional), items: child(schema.items) };
}

/** Runs all rules on a value; with a correlation it is an update of the old value in it. */
export type RuleRunner = (value: unknown, correlation: Correlation | undefined) => FieldError[];

/** Compiles all rules of a schema; undefined when it has none. */
export function ruleRunner(root: SchemaNode, isResourceRoot: boolean): RuleRunner | undefined {
  const self = root.below.rules ? declareType(root, isResourceRoot) : undefined;
  if (self === undefined) return undefined;
  const node = buildNode(root, self);
  return (value, correlation) => {
    const run = new RuleRun();
    try {
      run.visit(value, node, { path: "", old: correlation?.oldValue, correlation, nearest: undefined });
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    return run.errors;
  };
}
