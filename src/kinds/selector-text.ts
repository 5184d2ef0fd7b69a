/** Selectors as a query parameter carries them: `app=web,tier in (a,b),!canary`. Grammar and answers are the API server's. */
import { InvalidSelector, isInteger, type LabelSelector, type Requirement, requirementsOf } from "./label-selector.ts";

const segment = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const name = new RegExp(
  `^(?:(?=[^/]{1,253}/)${segment}(?:\\.${segment})*/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`,
);
const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const setBased = /^([^\s=!<>(),]+)\s+(in|notin)\s*\(([^()]*)\)$/;
const compared = /^([^\s=!<>(),]+)\s*(==|=|!=|>|<)\s*([^\s=!<>(),]*)$/;
const existence = /^(!?)\s*([^\s=!<>(),]+)$/;

/** The requirements written in a text; none for the empty text. Throws {@link InvalidSelector} naming every problem. */
export function parseSelector(text: string): readonly Requirement[] {
  if (text.trim() === "") return [];
  const parts = splitRequirements(text).map((part) => ({ part: part.trim(), parsed: parsePart(part.trim()) }));
  const problems = parts.flatMap(({ part, parsed }) => problemsOf(part, parsed));
  if (problems.length > 0)
    throw new InvalidSelector(`cannot read the selector ${JSON.stringify(text)}: ${problems.join("; ")}`);
  return parts.flatMap(({ parsed }) => (parsed ? [parsed] : []));
}

/** At the commas outside parentheses; in one pass, because the text comes from outside. */
function splitRequirements(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let inside = false;
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === "(" || char === ")") inside = char === "(";
    if (char !== undefined && (char !== "," || inside)) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return parts;
}

function parsePart(part: string): Requirement | undefined {
  const set = setBased.exec(part);
  if (set) {
    const values = (set[3] ?? "").split(",").map((value) => value.trim());
    return { key: set[1] ?? "", operator: set[2] === "in" ? "In" : "NotIn", values };
  }
  const comparison = compared.exec(part);
  if (comparison)
    return { key: comparison[1] ?? "", operator: comparator(comparison[2]), values: [comparison[3] ?? ""] };
  const exists = existence.exec(part);
  if (exists) return { key: exists[2] ?? "", operator: exists[1] ? "DoesNotExist" : "Exists", values: [] };
  return undefined;
}

function comparator(sign: string | undefined): Requirement["operator"] {
  if (sign === ">") return "Gt";
  if (sign === "<") return "Lt";
  return sign === "!=" ? "NotIn" : "In";
}

function problemsOf(part: string, parsed: Requirement | undefined): readonly string[] {
  if (!parsed) return [`${JSON.stringify(part)} is no requirement`];
  const problems = parsed.values
    .filter((value) => !labelValue.test(value))
    .map((value) => `${JSON.stringify(value)} is no label value`);
  if (!name.test(parsed.key)) problems.push(`${JSON.stringify(parsed.key)} is no label key`);
  if (isComparison(parsed) && !parsed.values.every(isInteger))
    problems.push(`${parsed.key} is compared with no integer`);
  return problems;
}

function isComparison({ operator }: Requirement): boolean {
  return operator === "Gt" || operator === "Lt";
}

/** The text of a selector, for a query parameter. The empty selector is the empty text. */
export function formatSelector(selector: LabelSelector): string {
  return formatRequirements(requirementsOf(selector));
}

export function formatRequirements(requirements: readonly Requirement[]): string {
  return requirements.map(formatRequirement).join(",");
}

function formatRequirement({ key, operator, values }: Requirement): string {
  switch (operator) {
    case "In":
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(",")})`;
    case "NotIn":
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(",")})`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return `${key}${operator === "Gt" ? ">" : "<"}${values[0] ?? ""}`;
  }
}
