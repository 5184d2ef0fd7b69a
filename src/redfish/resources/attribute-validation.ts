/** Whether a change of attributes makes sense, all problems at once, before anything is sent. Pure. */
import type { Attribute, AttributeRegistry, AttributeValue, Condition, Dependency } from "./attribute-registry.ts";

export interface AttributeProblem {
  readonly name: string;
  /** One sentence: what was asked, and what would be taken. */
  readonly message: string;
}

export interface ValidatedChange {
  readonly problems: readonly AttributeProblem[];
  /** The values as they are to be sent. */
  readonly values: Readonly<Record<string, AttributeValue>>;
  readonly needsReset: boolean;
}

export interface ValidationRules {
  /** Whether an attribute whose registry entry is silent needs a reset. */
  readonly unsaidNeedsReset: boolean;
  readonly alwaysReset?: boolean;
  /** Display names are taken too, and sent as value names. */
  readonly acceptDisplayNames?: boolean;
}

export type Values = Readonly<Record<string, AttributeValue>>;

/** Judges a change against the registry and what is set now. */
export function validateChange(
  registry: AttributeRegistry,
  change: Values,
  current: Values,
  rules: ValidationRules,
): ValidatedChange {
  const after = { ...current, ...change };
  const problems: AttributeProblem[] = [];
  const values: [string, AttributeValue][] = [];
  let needsReset = false;
  for (const [name, asked] of Object.entries(change)) {
    const attribute = registry.attributes.get(name);
    const value = rules.acceptDisplayNames && attribute ? valueNameOf(attribute, asked) : asked;
    const wrong = attribute
      ? problemOf(withDependencies(attribute, registry, after), value)
      : "is not an attribute of this machine";
    if (wrong !== undefined) problems.push({ name, message: `${name} ${wrong}` });
    values.push([name, value]);
    needsReset ||= rules.alwaysReset === true || (attribute?.resetRequired ?? rules.unsaidNeedsReset);
  }
  // From entries, because a name such as "__proto__" would vanish in an assignment instead of being refused.
  return { problems, values: Object.fromEntries(values), needsReset };
}

function valueNameOf({ values }: Attribute, asked: AttributeValue): AttributeValue {
  if (typeof asked !== "string" || values.has(asked)) return asked;
  const byDisplay = [...values].find(([, display]) => display === asked);
  return byDisplay ? byDisplay[0] : asked;
}

/** What is wrong with setting the attribute to this; undefined when nothing is. */
export function problemOf(attribute: Attribute, value: AttributeValue): string | undefined {
  if (attribute.immutable || attribute.hidden || attribute.readOnly) return "cannot be changed";
  switch (attribute.type.toLowerCase()) {
    case "integer":
      return integerProblem(attribute, value);
    case "string":
      return stringProblem(attribute, value);
    case "enumeration":
      return enumerationProblem(attribute, value);
    case "boolean":
      return typeof value === "boolean" ? undefined : `takes true or false, not ${JSON.stringify(value)}`;
    default:
      return `is of type ${attribute.type}, which cannot be set this way`;
  }
}

function integerProblem(
  { lowerBound, upperBound, scalarIncrement }: Attribute,
  value: AttributeValue,
): string | undefined {
  if (typeof value !== "number" || !Number.isInteger(value))
    return `takes a whole number, not ${JSON.stringify(value)}`;
  const low = lowerBound ?? Number.NEGATIVE_INFINITY;
  const high = upperBound ?? Number.POSITIVE_INFINITY;
  // Some registries give 0 for both where there is no bound.
  const bounded = low < high;
  if (bounded && (value < low || value > high)) return `takes ${low} to ${high}, not ${value}`;
  const step = scalarIncrement ?? 0;
  if (step > 1 && (value - (lowerBound ?? 0)) % step !== 0) return `goes in steps of ${step}, which ${value} is not on`;
  return undefined;
}

function stringProblem({ minLength, maxLength }: Attribute, value: AttributeValue): string | undefined {
  if (typeof value !== "string") return `takes text, not ${JSON.stringify(value)}`;
  if (minLength !== undefined && value.length < minLength) return `takes at least ${minLength} characters`;
  if (maxLength !== undefined && maxLength > 0 && value.length > maxLength)
    return `takes at most ${maxLength} characters`;
  return undefined;
}

function enumerationProblem({ values }: Attribute, value: AttributeValue): string | undefined {
  if (typeof value === "string" && values.has(value)) return undefined;
  return `takes one of ${[...values.keys()].join(", ")}, not ${JSON.stringify(value)}`;
}

/** The attribute as the other values make it: read-only, hidden or with other bounds. */
export function withDependencies(attribute: Attribute, { dependencies }: AttributeRegistry, values: Values): Attribute {
  const active = dependencies.filter((one) => one.attribute === attribute.name && holds(one, values));
  return active.reduce(applied, attribute);
}

function applied(attribute: Attribute, { property, value }: Dependency): Attribute {
  if (property === "ReadOnly" && typeof value === "boolean") return { ...attribute, readOnly: value };
  if (property === "Hidden" && typeof value === "boolean") return { ...attribute, hidden: value };
  if (property === "Immutable" && typeof value === "boolean") return { ...attribute, immutable: value };
  if (property === "LowerBound" && typeof value === "number") return { ...attribute, lowerBound: value };
  if (property === "UpperBound" && typeof value === "number") return { ...attribute, upperBound: value };
  return attribute;
}

/** Terms join from left to right, as the registry lists them. */
function holds({ conditions }: Dependency, values: Values): boolean {
  return conditions.reduce<boolean>((sofar, one, at) => {
    const here = isMet(one, values);
    if (at === 0) return here;
    return one.joins === "OR" ? sofar || here : sofar && here;
  }, false);
}

function isMet({ attribute, property, test, value }: Condition, values: Values): boolean {
  if (property !== "CurrentValue") return false;
  const now = Object.hasOwn(values, attribute) ? values[attribute] : undefined;
  if (now === undefined) return false;
  if (test === "EQU") return now === value;
  if (test === "NEQ") return now !== value;
  if (typeof now !== "number" || typeof value !== "number") return false;
  return { GTR: now > value, GEQ: now >= value, LSS: now < value, LEQ: now <= value }[test];
}
