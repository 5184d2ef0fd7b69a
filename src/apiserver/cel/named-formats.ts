/** format.dns1123Label() and its kin: formats a rule can validate strings with. */
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from "../name-rules.ts";
import { hasFormat } from "../schema/formats.ts";
import { formatNames } from "./signatures.ts";
import { text } from "./string-functions.ts";
import { ListValue, noSuchOverload, type Opaque, Optional, type Value } from "./values.ts";

type Problems = (value: string) => string[];

/** A prefix may end in a dash, because something will follow. */
const asPrefix =
  (problems: Problems): Problems =>
  (value) =>
    problems(value.endsWith("-") ? `${value.slice(0, -1)}a` : value);
const matching =
  (format: string, problem: string): Problems =>
  (value) =>
    hasFormat(format, value) ? [] : [problem];

const rules: Readonly<Record<(typeof formatNames)[number], Problems>> = {
  dns1123Label: dns1123LabelProblems,
  dns1123Subdomain: dns1123SubdomainProblems,
  dns1035Label: dns1035LabelProblems,
  qualifiedName: qualifiedNameProblems,
  dns1123LabelPrefix: asPrefix(dns1123LabelProblems),
  dns1123SubdomainPrefix: asPrefix(dns1123SubdomainProblems),
  dns1035LabelPrefix: asPrefix(dns1035LabelProblems),
  labelValue: labelValueProblems,
  uri: matching("uri", "invalid URI for request"),
  uuid: matching("uuid", "does not match the UUID format"),
  byte: matching("byte", "invalid base64"),
  date: matching("date", "invalid date"),
  datetime: matching("datetime", "invalid datetime"),
};

class NamedFormat implements Opaque {
  readonly opaqueType = "kubernetes.NamedFormat";
  readonly name: string;
  readonly problems: Problems;

  constructor(name: string, problems: Problems) {
    this.name = name;
    this.problems = problems;
  }

  equals(other: Value): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

const formats = new Map<string, NamedFormat>(formatNames.map((name) => [name, new NamedFormat(name, rules[name])]));

function validate([format, value]: readonly Value[]): Value {
  if (!(format instanceof NamedFormat)) throw noSuchOverload();
  const problems = format.problems(text(value));
  return problems.length === 0 ? Optional.none : new Optional(new ListValue(problems));
}

export const formatFunctions: Readonly<Record<string, (args: readonly Value[]) => Value>> = {
  ...Object.fromEntries([...formats].map(([name, format]) => [`format.${name}`, () => format])),
  "format.named": ([name]) => {
    const found = formats.get(text(name));
    return found === undefined ? Optional.none : new Optional(found);
  },
  validate,
};
