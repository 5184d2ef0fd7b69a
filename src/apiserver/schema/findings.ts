/** What validating one value found: problems in order, each text once, and how many checks passed (anyOf and oneOf blame the closest alternative). */
import { type FieldError, invalid, noField, notSupported, required, tooLong, tooMany } from "../field-error.ts";
import { goJson, goQuote } from "../go-text.ts";

interface Finding {
  readonly text: string;
  readonly error: FieldError;
}

const fieldOf = (path: string): string => {
  const name = path.startsWith(".") ? path.slice(1) : path;
  return path === "" || path === "." ? noField : name;
};

export class Findings {
  readonly found: Finding[] = [];
  matches = 0;

  add(text: string, error: FieldError): void {
    if (!this.found.some((f) => f.text === text)) this.found.push({ text, error });
  }

  merge(other: Findings): void {
    for (const { text, error } of other.found) this.add(text, error);
    this.matches += other.matches;
  }

  get valid(): boolean {
    return this.found.length === 0;
  }

  /** A rule about the value itself, in the validator's own words. */
  invalid(path: string, value: unknown, words: string): void {
    const text = `${path} in body ${words}`;
    this.add(text, invalid(fieldOf(path), value ?? "", text));
  }

  /** A problem that upstream reports without a field. */
  general(text: string): void {
    this.add(text, invalid(noField, "", text));
  }

  typeInvalid(path: string, expected: string, actual: string): void {
    const text = `${path} in body must be of type ${expected}: ${goQuote(actual)}`;
    this.add(text, { type: "FieldValueTypeInvalid", field: fieldOf(path), badValue: actual, detail: text });
  }

  required(path: string): void {
    this.add(`${path} in body is required`, required(fieldOf(path)));
  }

  notSupported(path: string, value: unknown, allowed: readonly unknown[]): void {
    const names = allowed.map((v) => (typeof v === "string" ? v : goJson(v)));
    this.add(`${path} in body should be one of [${names.join(" ")}]`, notSupported(fieldOf(path), value, names));
  }

  tooLong(path: string, max: number): void {
    this.add(`${path} in body should be at most ${max} chars long`, tooLong(fieldOf(path), max));
  }

  tooMany(path: string, size: number, max: number): void {
    this.add(`${path} in body should have at most ${max}`, tooMany(fieldOf(path), size, max));
  }
}
