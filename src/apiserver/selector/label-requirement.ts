/** One condition on a set of labels. */

export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";

export type Labels = Readonly<Record<string, string>>;

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

const INTEGER = /^[-+]?\d+$/;
const INT64_MAX = 2n ** 63n - 1n;

/** A signed 64-bit integer as Go's ParseInt reads it. */
export function parseInt64(text: string): bigint | undefined {
  if (!INTEGER.test(text) || text.length > 40) return undefined;
  const value = BigInt(text.replace(/^\+/, ""));
  return value > INT64_MAX || value < -INT64_MAX - 1n ? undefined : value;
}

/** Whether labels satisfy a requirement; a missing key satisfies only the negative ones. */
export function requirementMatches({ key, operator, values }: LabelRequirement, labels: Labels | undefined): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    default:
      return compareMatches(operator, value, values[0]);
  }
}

function compareMatches(operator: "gt" | "lt", value: string | undefined, bound: string | undefined): boolean {
  const left = value === undefined ? undefined : parseInt64(value);
  const right = bound === undefined ? undefined : parseInt64(bound);
  if (left === undefined || right === undefined) return false;
  return operator === "gt" ? left > right : left < right;
}

/** The requirement in selector syntax; parsing it again gives the same requirement. */
export function formatRequirement({ key, operator, values }: LabelRequirement): string {
  const joined = [...values].sort().join(",");
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${joined})`;
    case "gt":
      return `${key}>${joined}`;
    case "lt":
      return `${key}<${joined}`;
    default:
      return `${key}${operator}${joined}`;
  }
}
