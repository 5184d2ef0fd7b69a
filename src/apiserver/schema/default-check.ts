/** Defaults must themselves be valid: known fields only, and accepted by the schema they stand in. */
import { ruleRunner } from "../cel/index.ts";
import { type FieldError, invalid } from "../field-error.ts";
import { Correlation, equalJson } from "./correlation.ts";
import { copyJson } from "./defaults.ts";
import { checkEmbeddedResources } from "./embedded-resources.ts";
import { pruneResource, pruneValue } from "./prune.ts";
import { isJsonObject, type SchemaNode } from "./schema-node.ts";
import { validateValue } from "./validate-value.ts";

function prunes(node: SchemaNode): boolean {
  const copy = copyJson(node.default);
  if (node.embedded && isJsonObject(copy)) pruneResource(copy, node);
  else pruneValue(copy, node);
  return !equalJson(copy, node.default);
}

/** The errors of a default, at its own path: fields of the value are appended to it. */
function valueErrors(node: SchemaNode, path: string): FieldError[] {
  const found = validateValue(node.default, node, "").found;
  return found.map(({ error }) => ({ ...error, field: error.field === "<nil>" ? path : `${path}.${error.field}` }));
}

function ruleErrors(node: SchemaNode, path: string): FieldError[] {
  const run = ruleRunner(node, node.embedded);
  if (run === undefined) return [];
  const errors = run(node.default, new Correlation(undefined, node.default, node));
  const found = errors.length > 0 ? errors : run(node.default, undefined);
  return found.map((error) => ({ ...error, field: error.field === "<nil>" ? path : `${path}.${error.field}` }));
}

function defaultErrors(node: SchemaNode, path: string): FieldError[] {
  const errors = prunes(node) ? [invalid(path, node.default, "must not have unknown fields")] : [];
  for (const check of [
    () => checkEmbeddedResources(node.default, node, path),
    () => valueErrors(node, path),
    () => ruleErrors(node, path),
  ]) {
    const found = check();
    errors.push(...found);
    if (found.length > 0) break;
  }
  return errors;
}

/** Checks every default in a schema. */
export function checkDefaults(node: SchemaNode, path: string): FieldError[] {
  if (!node.below.defaults) return [];
  const errors = node.default === undefined ? [] : defaultErrors(node, `${path}.default`);
  if (node.items !== undefined) errors.push(...checkDefaults(node.items, `${path}.items`));
  for (const [name, property] of node.properties)
    errors.push(...checkDefaults(property, `${path}.properties[${name}]`));
  return errors;
}
