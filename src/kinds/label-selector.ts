/** `metav1.LabelSelector` and the requirements every form of selector comes down to. */

export interface LabelSelectorRequirement {
  key: string;
  /** In, NotIn, Exists or DoesNotExist. */
  operator: string;
  values?: string[];
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

/** One requirement on an object's labels. `Gt` and `Lt` exist only in the text form. */
export interface Requirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt";
  readonly values: readonly string[];
}

/** A selector that cannot be evaluated: what is wrong with it, in full. */
export class InvalidSelector extends Error {
  override readonly name = "InvalidSelector";
}

type Labels = Readonly<Record<string, string>> | undefined;

/** The requirements of a selector. Throws {@link InvalidSelector} naming every problem. */
export function requirementsOf(selector: LabelSelector): readonly Requirement[] {
  const equalities = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): Requirement => ({ key, operator: "In", values: [value] }),
  );
  const expressions = selector.matchExpressions ?? [];
  const problems = expressions.flatMap(problemsOf);
  if (problems.length > 0) throw new InvalidSelector(`invalid label selector: ${problems.join("; ")}`);
  return [
    ...equalities,
    ...expressions.map(({ key, operator, values = [] }) => ({ key, operator, values }) as Requirement),
  ];
}

function problemsOf({ key, operator, values = [] }: LabelSelectorRequirement): readonly string[] {
  if (operator === "In" || operator === "NotIn")
    return values.length > 0 ? [] : [`${key}: ${operator} needs at least one value`];
  if (operator === "Exists" || operator === "DoesNotExist")
    return values.length === 0 ? [] : [`${key}: ${operator} takes no values`];
  return [`${key}: unknown operator ${JSON.stringify(operator)}`];
}

/** Whether labels satisfy a selector. An absent selector selects nothing, an empty one everything. */
export function matchesSelector(selector: LabelSelector | undefined, labels: Labels): boolean {
  return selector !== undefined && matchesRequirements(requirementsOf(selector), labels);
}

export function matchesRequirements(requirements: readonly Requirement[], labels: Labels): boolean {
  return requirements.every((requirement) => holds(requirement, labels ?? {}));
}

function holds({ key, operator, values }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return comparesInteger(value, operator, values[0]);
  }
}

function comparesInteger(value: string | undefined, operator: "Gt" | "Lt", bound: string | undefined): boolean {
  if (value === undefined || bound === undefined || !isInteger(value) || !isInteger(bound)) return false;
  return operator === "Gt" ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}

/** What the right side of `>` and `<` must be. */
export function isInteger(text: string): boolean {
  return /^-?\d{1,19}$/.test(text);
}
