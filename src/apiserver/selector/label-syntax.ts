/** What a label key and a label value may be, and upstream's words for what is wrong with one. */

const KEY_FORMAT = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const KEY = new RegExp(`^${KEY_FORMAT}$`);
const VALUE_FORMAT = `(${KEY_FORMAT})?`;
const VALUE = new RegExp(`^${VALUE_FORMAT}$`);
const SUBDOMAIN_FORMAT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const MAX_NAME_BYTES = 63;
const MAX_SUBDOMAIN_BYTES = 253;

const SHAPE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const KEY_EXAMPLES = `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${KEY_FORMAT}')`;

const tooLong = (bytes: number): string => `must be no more than ${bytes} bytes`;

/** The problems of a label key (`[prefix/]name`), none when it is valid. */
export function labelKeyProblems(key: string): string[] {
  const parts = key.split("/");
  if (parts.length > 2) {
    return [
      `a valid label key ${SHAPE} ${KEY_EXAMPLES} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? "";
  const prefix = parts.length === 2 ? prefixProblems(parts[0] ?? "") : [];
  return [...prefix, ...nameProblems(name)];
}

function nameProblems(name: string): string[] {
  const problems: string[] = [];
  if (name === "") problems.push("name part must be non-empty");
  else if (Buffer.byteLength(name) > MAX_NAME_BYTES) problems.push(`name part ${tooLong(MAX_NAME_BYTES)}`);
  if (!KEY.test(name)) problems.push(`name part ${SHAPE} ${KEY_EXAMPLES}`);
  return problems;
}

function prefixProblems(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return subdomainProblems(prefix).map((problem) => `prefix part ${problem}`);
}

/** The problems of a lower-case DNS subdomain. */
export function subdomainProblems(name: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(name) > MAX_SUBDOMAIN_BYTES) problems.push(tooLong(MAX_SUBDOMAIN_BYTES));
  if (!isSubdomain(name)) {
    problems.push(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
        `with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN_FORMAT}')`,
    );
  }
  return problems;
}

/** Part by part: the whole pattern at once could be made to backtrack. */
function isSubdomain(name: string): boolean {
  return name.split(".").every((part) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part));
}

/** The problems of a label value. */
export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(value) > MAX_NAME_BYTES) problems.push(tooLong(MAX_NAME_BYTES));
  if (!VALUE.test(value)) {
    problems.push(
      `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end ` +
        `with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${VALUE_FORMAT}')`,
    );
  }
  return problems;
}
