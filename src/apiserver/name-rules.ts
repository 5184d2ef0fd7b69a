/** What Kubernetes accepts as names, in upstream's words. Each function returns what is wrong, or nothing. */

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const keyName = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

const labelPattern = new RegExp(`^${label}$`);
const label1035Pattern = new RegExp(`^${label1035}$`);
const keyPattern = new RegExp(`^${keyName}$`);

const tooLong = (max: number): string => `must be no more than ${max} characters`;

function regexMessage(rule: string, pattern: string, ...examples: readonly string[]): string {
  return `${rule} (e.g. ${examples.map((e) => `'${e}', `).join(" or ")}regex used for validation is '${pattern}')`;
}

const isSubdomain = (value: string): boolean => value.split(".").every((part) => labelPattern.test(part));

/** A DNS label: lower case letters, digits and dashes. */
export function dns1123LabelProblems(value: string): string[] {
  const problems = value.length > 63 ? [tooLong(63)] : [];
  if (labelPattern.test(value)) return problems;
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  problems.push(isSubdomain(value) ? "must not contain dots" : regexMessage(rule, label, "my-name", "123-abc"));
  return problems;
}

/** A DNS name of labels and dots. */
export function dns1123SubdomainProblems(value: string): string[] {
  const problems = value.length > 253 ? [tooLong(253)] : [];
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  if (!isSubdomain(value)) problems.push(regexMessage(rule, subdomain, "example.com"));
  return problems;
}

/** A DNS label that starts with a letter. */
export function dns1035LabelProblems(value: string): string[] {
  const problems = value.length > 63 ? [tooLong(63)] : [];
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  if (!label1035Pattern.test(value)) problems.push(regexMessage(rule, label1035, "my-name", "abc-123"));
  return problems;
}

const keyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** The key of a label or annotation: a name with an optional domain before a slash. */
export function qualifiedNameProblems(value: string): string[] {
  const parts = value.split("/");
  const message = regexMessage(keyRule, keyName, "MyName", "my.name", "123-abc");
  if (parts.length > 2)
    return [`a valid label key ${message} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const name = parts.at(-1) ?? "";
  const prefix = parts.length === 2 ? (parts[0] ?? "") : undefined;
  const problems: string[] = [];
  if (prefix === "") problems.push("prefix part must be non-empty");
  else if (prefix !== undefined) problems.push(...dns1123SubdomainProblems(prefix).map((p) => `prefix part ${p}`));
  if (name === "") problems.push("name part must be non-empty");
  else if (name.length > 63) problems.push("name part must be no more than 63 bytes");
  if (!keyPattern.test(name)) problems.push(`name part ${message}`);
  return problems;
}

/** The value of a label. */
export function labelValueProblems(value: string): string[] {
  const problems = value.length > 63 ? ["must be no more than 63 bytes"] : [];
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  if (value !== "" && !keyPattern.test(value))
    problems.push(regexMessage(rule, `(${keyName})?`, "MyValue", "my_value", "12345"));
  return problems;
}
