/** Field selectors: `metadata.name=a,spec.x!=b`, with backslash escapes in values and upstream's refusals. */
import { SelectorError } from "./selector-error.ts";

export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** A parsed field selector; no requirements select everything. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
}

/** Parses a field selector; which fields a kind supports is the caller's to check. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).sort();
  return { requirements: terms.filter((term) => term !== "").map((term) => parseTerm(term, text)) };
}

/** Whether an object is selected; `read` gives a field's value as text, the empty string where it is absent. */
export function fieldsMatch(selector: FieldSelector, read: (field: string) => string): boolean {
  return selector.requirements.every(({ field, operator, value }) => (read(field) === value) === (operator === "="));
}

/** The one value a selector requires of a field, when it requires exactly one. */
export function requiredFieldValue(selector: FieldSelector, field: string): string | undefined {
  return selector.requirements.find((item) => item.field === field && item.operator === "=")?.value;
}

/** The selector in its normal form. */
export function formatFieldSelector(selector: FieldSelector): string {
  return selector.requirements
    .map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, "\\$&")}`)
    .join(",");
}

/** The first field a kind does not support, refused in upstream's words. */
export function checkSupportedFields(selector: FieldSelector, supported: ReadonlySet<string>): void {
  for (const { field } of selector.requirements) {
    if (!supported.has(field)) throw new SelectorError(`field label not supported: ${field}`);
  }
}

/** At commas that no backslash escapes. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === ",") {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const operator = /!=|==|=/.exec(term);
  if (operator === null) throw new SelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  const value = term.slice(operator.index + operator[0].length);
  return {
    field: term.slice(0, operator.index),
    operator: operator[0] === "!=" ? "!=" : "=",
    value: unescapeValue(value),
  };
}

function unescapeValue(value: string): string {
  if (!/[\\,=]/.test(value)) return value;
  let unescaped = "";
  for (let at = 0; at < value.length; at++) {
    const character = value.charAt(at);
    if (character === "\\") unescaped += unescapedAt(value, ++at);
    else if (character === "," || character === "=") {
      throw new SelectorError(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`);
    } else unescaped += character;
  }
  return unescaped;
}

function unescapedAt(value: string, at: number): string {
  const code = value.codePointAt(at);
  const character = code === undefined ? "" : String.fromCodePoint(code);
  if (character === "\\" || character === "," || character === "=") return character;
  throw new SelectorError(`invalid field selector: invalid escape sequence: \\${character}`);
}
