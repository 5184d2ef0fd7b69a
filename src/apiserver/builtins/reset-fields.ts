/** The fields that an endpoint resets before storing, so that nobody comes to own them through it. */
import { FieldSet } from "../managed-fields/field-set.ts";
import { fieldElement } from "../managed-fields/path-element.ts";

const fields = (...names: readonly string[]): FieldSet => FieldSet.of(...names.map((name) => [fieldElement(name)]));

const STATUS = fields("status");
const SPEC = fields("spec");
const SPEC_AND_METADATA = fields("metadata", "spec");

/** Built-in kinds whose status is written through an endpoint of its own. */
const WITH_STATUS: ReadonlySet<string> = new Set(["Namespace", "Node", "Service", "CustomResourceDefinition"]);

/** For a built-in kind and a subresource (empty for the object itself). */
export function builtinResetFields(kind: string, subresource: string): FieldSet | undefined {
  if (!WITH_STATUS.has(kind)) return undefined;
  return subresource === "status" ? SPEC : STATUS;
}

/** For a custom resource. */
export function customResetFields(hasStatus: boolean, subresource: string): FieldSet | undefined {
  if (subresource === "status") return SPEC_AND_METADATA;
  return hasStatus ? STATUS : undefined;
}
