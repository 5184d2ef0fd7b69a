/** A CustomResourceDefinition's schema, compiled: the one place the server calls to prune, default and validate custom resources. */

import { type RuleRunner, ruleRunner } from "../cel/index.ts";
import { type FieldError, invalid, noField } from "../field-error.ts";
import { Correlation } from "./correlation.ts";
import { applyDefaults } from "./defaults.ts";
import { checkEmbeddedResources } from "./embedded-resources.ts";
import type { JsonSchema } from "./json-schema.ts";
import { checkListTypes } from "./list-types.ts";
import { pruneResource } from "./prune.ts";
import { compileNode, isJsonObject, type JsonObject, type SchemaNode } from "./schema-node.ts";
import { validateValue } from "./validate-value.ts";

export interface CompiledSchema {
  /** The compiled tree, for those who derive types from it. */
  readonly root: SchemaNode;
  /** Removes unknown fields in place; returns their sorted paths for `fieldValidation`. Metadata is left alone. */
  prune(object: JsonObject): string[];
  /** Drops meaningless nulls and fills in defaults, in place. */
  applyDefaults(object: JsonObject): void;
  /** Everything wrong with the object. With `old` it is an update: transition rules run, errors of unchanged parts pass. */
  validate(object: JsonObject, old?: unknown): FieldError[];
  /** Everything wrong with an update of the status subresource: the schema sees only `status`, rules see the object. */
  validateStatus(object: JsonObject, old: unknown): FieldError[];
}

const blocking: ReadonlySet<FieldError["type"]> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const notChecked = invalid(
  noField,
  null,
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
);

function structuralErrors(value: unknown, node: SchemaNode, path: string, old: Correlation | undefined): FieldError[] {
  return validateValue(value, node, path, old).found.map((finding) => finding.error);
}

function sharedErrors(object: JsonObject, root: SchemaNode, old: unknown): FieldError[] {
  const errors = checkEmbeddedResources(object, root, "");
  if (root.below.keyedLists && checkListTypes(old, root, "").length === 0)
    errors.push(...checkListTypes(object, root, ""));
  return errors;
}

class Compiled implements CompiledSchema {
  readonly root: SchemaNode;
  private readonly runRules: RuleRunner | undefined;

  constructor(root: SchemaNode, runRules: RuleRunner | undefined) {
    this.root = root;
    this.runRules = runRules;
  }

  prune(object: JsonObject): string[] {
    return pruneResource(object, this.root);
  }

  applyDefaults(object: JsonObject): void {
    applyDefaults(object, this.root);
  }

  validate(object: JsonObject, old?: unknown): FieldError[] {
    const correlation = old === undefined ? undefined : new Correlation(object, old, this.root);
    const errors = structuralErrors(object, this.root, "", correlation);
    return this.finish(object, old, correlation, errors);
  }

  validateStatus(object: JsonObject, old: unknown): FieldError[] {
    const correlation = new Correlation(object, old, this.root);
    const node = this.root.properties.get("status");
    const errors =
      node === undefined || !Object.hasOwn(object, "status")
        ? []
        : structuralErrors(object.status, node, "status", correlation.key("status"));
    return this.finish(object, old, correlation, errors);
  }

  private finish(
    object: JsonObject,
    old: unknown,
    correlation: Correlation | undefined,
    errors: FieldError[],
  ): FieldError[] {
    errors.push(...sharedErrors(object, this.root, isJsonObject(old) ? old : {}));
    if (this.runRules === undefined) return errors;
    if (errors.some((error) => blocking.has(error.type))) errors.push(notChecked);
    else errors.push(...this.runRules(object, correlation));
    return errors;
  }
}

/** Compiles a schema for its lifetime. It must have passed `checkCustomResourceDefinition`; compiling itself never throws. */
export function compileSchema(openAPIV3Schema: JsonSchema): CompiledSchema {
  const root = compileNode(openAPIV3Schema);
  return new Compiled(root, ruleRunner(root, true));
}
