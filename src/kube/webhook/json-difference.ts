/** The JSON patch between two states, for answers of mutating webhooks; lists are replaced as a whole. */
import type { JsonPatchOperation } from "../client/client.ts";

type Fields = Record<string, unknown>;

/** Operations that turn `before` into `after`; a field that is undefined counts as absent. */
export function jsonDifference(before: unknown, after: unknown, path = ""): JsonPatchOperation[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isFields(before) || !isFields(after)) return [{ op: "replace", path, value: after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const at = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (after[name] === undefined) return before[name] === undefined ? [] : [{ op: "remove" as const, path: at }];
    if (before[name] === undefined) return [{ op: "add" as const, path: at, value: after[name] }];
    return jsonDifference(before[name], after[name], at);
  });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
