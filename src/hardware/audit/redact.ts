/** Takes secrets out of what is about to be recorded: by the name of a property, and out of addresses. */

const SECRET_NAME = /pass(word|phrase)?$|secret|token|credential|authorization|private.?key/i;
const HIDDEN = "[redacted]";

/** A copy without the values of properties that are named like secrets, and with addresses stripped of theirs. */
export function withoutSecretValues<T>(value: T): T {
  return clean(value, "") as T;
}

function clean(value: unknown, name: string): unknown {
  if (value === undefined || value === null) return value;
  if (SECRET_NAME.test(name)) return HIDDEN;
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map((entry) => clean(entry, ""));
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object") return typeof value === "function" ? undefined : value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner, key)]));
}

/** User information and query of an address: an image may be fetched with either. */
function cleanText(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s@]*@/gi, `$1${HIDDEN}@`)
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s?]*)\?[^\s"']*/gi, `$1?${HIDDEN}`);
}
