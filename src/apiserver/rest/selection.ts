/** Which objects a list, a watch or a collection delete is about. */
import type { KubeObject } from "#kinds";
import { fieldsMatch, labelsMatch } from "../selector/index.ts";
import type { ListOptions } from "./list-options.ts";
import type { Resource } from "./resource.ts";

export type Selection = (object: KubeObject) => boolean;

/** The selection of label and field selectors together; undefined when they select everything. */
export function selectionOf(
  { labels, fields }: Pick<ListOptions, "labels" | "fields">,
  { fieldLabels }: Pick<Resource, "fieldLabels">,
): Selection | undefined {
  const byLabels = labels.requirements.length > 0;
  if (!byLabels && !fields) return undefined;
  return (object) =>
    (!byLabels || labelsMatch(labels, object.metadata.labels)) &&
    (!fields || fieldsMatch(fields, (field) => fieldLabels[field]?.(object) ?? ""));
}
