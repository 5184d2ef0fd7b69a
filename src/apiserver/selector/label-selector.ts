/** Label selectors: the query syntax (`a=b,c in (d,e),!f`) and what it matches, with upstream's refusals. */
import { goQuote } from "../decode/go-quote.ts";
import {
  formatRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  parseInt64,
  requirementMatches,
} from "./label-requirement.ts";
import { labelKeyProblems, labelValueProblems } from "./label-syntax.ts";
import { SelectorError } from "./selector-error.ts";
import { type SelectorToken, tokenizeSelector } from "./selector-tokens.ts";

/** A parsed label selector; no requirements select everything. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
}

export const everything: LabelSelector = { requirements: [] };

/** Parses selector syntax; throws `SelectorError` with upstream's message. */
export function parseLabelSelector(text: string): LabelSelector {
  if (text === "") return everything;
  const requirements = new LabelSelectorParser(tokenizeSelector(text)).parse();
  return { requirements: requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)) };
}

/** Whether an object with these labels is selected. */
export function labelsMatch(selector: LabelSelector, labels: Labels | undefined): boolean {
  for (const requirement of selector.requirements) {
    if (!requirementMatches(requirement, labels)) return false;
  }
  return true;
}

/** The selector in its normal form. */
export function formatLabelSelector(selector: LabelSelector): string {
  return selector.requirements.map(formatRequirement).join(",");
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);

class LabelSelectorParser {
  private readonly tokens: readonly SelectorToken[];
  private position = 0;

  constructor(tokens: readonly SelectorToken[]) {
    this.tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.peek();
      if (next.kind === "end") return requirements;
      if (!startsRequirement(next)) throw found(next, "!, identifier, or 'end of string'");
      requirements.push(this.requirementOrRefuse());
      const separator = this.take();
      if (separator.kind === "end") return requirements;
      if (separator.text !== ",") throw found(separator, "',' or 'end of string'");
      if (!startsRequirement(this.peek())) throw found(this.peek(), "identifier after ','");
    }
  }

  private peek(): SelectorToken {
    return this.tokens[this.position] as SelectorToken;
  }

  private take(): SelectorToken {
    return this.tokens[this.position++] as SelectorToken;
  }

  private requirementOrRefuse(): LabelRequirement {
    try {
      return this.requirement();
    } catch (error) {
      if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  private requirement(): LabelRequirement {
    let token = this.take();
    const negated = token.text === "!" && token.kind === "symbol";
    if (negated) token = this.take();
    if (token.kind !== "word") throw found(token, "identifier");
    const key = token.text;
    const problems = labelKeyProblems(key);
    if (problems.length > 0) throw new SelectorError(`<nil>: ${invalid(key, problems)}`);
    if (negated) return { key, operator: "!", values: [] };
    const next = this.peek();
    if (next.kind === "end" || next.text === ",") return { key, operator: "exists", values: [] };
    const operator = this.operator();
    const values = operator === "in" || operator === "notin" ? this.valueSet() : [this.exactValue()];
    return checked({ key, operator, values: [...new Set(values)].sort() });
  }

  private operator(): LabelOperator {
    const token = this.take();
    const operator = OPERATORS.get(token.text);
    if (operator === undefined || token.kind === "end") throw found(token, "in, notin, =, ==, !=, gt, lt");
    return operator;
  }

  private exactValue(): string {
    const next = this.peek();
    if (next.kind === "end" || next.text === ",") return "";
    const token = this.take();
    if (token.kind !== "word") throw found(token, "identifier");
    return token.text;
  }

  private valueSet(): string[] {
    const open = this.take();
    if (open.text !== "(") throw new SelectorError(`found '${open.text}' expected: '('`);
    const next = this.peek();
    if (next.text === ")") {
      this.take();
      return [""];
    }
    if (next.kind !== "word" && next.text !== ",") throw found(next, "',', ')' or identifier");
    const values = this.identifiers();
    this.take();
    return values;
  }

  /** Up to, and not including, the closing parenthesis; an empty place between commas is the empty string. */
  private identifiers(): string[] {
    const values: string[] = [];
    while (this.peek().text !== ")" || values.length === 0) {
      const token = this.take();
      if (token.kind === "word") this.closedValue(token.text, values);
      else if (token.text === ",") this.emptyValues(values);
      else throw found(token, "',', or identifier");
    }
    return values;
  }

  private closedValue(value: string, values: string[]): void {
    values.push(value);
    const next = this.peek().text;
    if (next !== ")" && next !== ",") throw found(this.peek(), "',' or ')'");
  }

  private emptyValues(values: string[]): void {
    const next = this.peek().text;
    if (values.length === 0 || next === "," || next === ")") values.push("");
  }
}

const startsRequirement = (token: SelectorToken): boolean => token.kind === "word" || token.text === "!";

const found = (token: SelectorToken, expected: string): SelectorError =>
  new SelectorError(`found '${token.text}', expected: ${expected}`);

const invalid = (value: string, problems: readonly string[]): string =>
  `Invalid value: ${goQuote(value)}: ${problems.join("; ")}`;

function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const problems: string[] = [];
  if ((operator === "gt" || operator === "lt") && parseInt64(values[0] ?? "") === undefined) {
    problems.push(`values[0]: ${invalid(values[0] ?? "", ["for 'Gt', 'Lt' operators, the value must be an integer"])}`);
  }
  values.forEach((value, index) => {
    const wrong = labelValueProblems(value);
    if (wrong.length > 0) problems.push(`values[${index}][${key}]: ${invalid(value, wrong)}`);
  });
  if (problems.length === 0) return requirement;
  throw new SelectorError(problems.length === 1 ? (problems[0] as string) : `[${problems.join(", ")}]`);
}
