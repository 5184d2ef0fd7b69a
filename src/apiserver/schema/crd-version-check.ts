/** The parts of a CRD's version: schema, subresources, printer columns, selectable fields. */
import { duplicate, type FieldError, forbidden, invalid, required, tooMany } from "../field-error.ts";
import { GoRaw, goJson } from "../go-text.ts";
import type { CrdColumn, CrdSubresources, CrdVersion } from "./crd.ts";
import { checkDefaults } from "./default-check.ts";
import { findField } from "./field-path.ts";
import type { JsonSchema } from "./json-schema.ts";
import { checkOpenApiSchema } from "./openapi-check.ts";
import { rootContext } from "./rule-check.ts";
import { compileNode, type SchemaNode } from "./schema-node.ts";
import { validateStructural } from "./structural.ts";

const allowedAtRoot =
  "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations";
const allowedKeys: ReadonlySet<string> = new Set(
  "description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations nullable".split(
    " ",
  ),
);

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== "" && value !== false;

/** With a status subresource only what survives extracting `status` is allowed at the root. */
function statusErrors(schema: JsonSchema, path: string): FieldError[] {
  if (schema.type && schema.type !== "object")
    return [
      invalid(
        `${path}.type`,
        schema.type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    ];
  const strangers = Object.entries(schema).filter(([key, value]) => isSet(value) && !allowedKeys.has(key));
  if (strangers.length === 0) return [];
  const detail = `only [${allowedAtRoot}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, new GoRaw(goJson(schema)), detail)];
}

/** Everything wrong with a schema at a path. */
export function schemaErrors(schema: JsonSchema | undefined, path: string, hasStatus: boolean): FieldError[] {
  if (schema === undefined || schema === null) return [];
  const errors = hasStatus ? statusErrors(schema, path) : [];
  if (schema.nullable === true) errors.push(forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  const root = compileNode(schema);
  const structural = validateStructural(schema, path);
  const defaults = structural.length > 0 ? [] : checkDefaults(root, path);
  errors.push(...structural, ...defaults);
  const cost = structural.length + defaults.length === 0 ? rootContext() : undefined;
  errors.push(...checkOpenApiSchema(root, path, cost));
  if (cost !== undefined) errors.push(...cost.total.errors(path));
  return errors;
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

function simplePathErrors(value: string, path: string): FieldError[] {
  return value.startsWith(".") ? [] : [invalid(path, value, "must be a simple json path starting with .")];
}

export function columnErrors(column: CrdColumn, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const detail = `must be one of ${columnTypes.join(",")}`;
  if (!column.name) errors.push(required(`${path}.name`));
  if (!column.type) errors.push(required(`${path}.type`, detail));
  else if (!columnTypes.includes(column.type)) errors.push(invalid(`${path}.type`, column.type, detail));
  if (column.format && !columnFormats.includes(column.format))
    errors.push(invalid(`${path}.format`, column.format, `must be one of ${columnFormats.join(",")}`));
  if (!column.jsonPath) errors.push(required(`${path}.JSONPath`));
  else errors.push(...simplePathErrors(column.jsonPath, `${path}.JSONPath`));
  return errors;
}

function replicasErrors(value: string | undefined, path: string, under: string): FieldError[] {
  if (!value) return [required(path)];
  const errors = simplePathErrors(value, path);
  if (errors.length > 0 || value.startsWith(`${under}.`)) return errors;
  return [invalid(path, value, `should be a json path under ${under}`)];
}

function selectorErrors(value: string | undefined, path: string): FieldError[] {
  if (!value) return [];
  const errors = simplePathErrors(value, path);
  if (errors.length > 0 || value.startsWith(".spec.") || value.startsWith(".status.")) return errors;
  return [invalid(path, value, "should be a json path under either .spec or .status")];
}

export function subresourceErrors(subresources: CrdSubresources | undefined, path: string): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined || scale === null) return [];
  return [
    ...replicasErrors(scale.specReplicasPath, `${path}.scale.specReplicasPath`, ".spec"),
    ...replicasErrors(scale.statusReplicasPath, `${path}.scale.statusReplicasPath`, ".status"),
    ...selectorErrors(scale.labelSelectorPath, `${path}.scale.labelSelectorPath`),
  ];
}

const maxSelectableFields = 8;
const selectableTypes = ["string", "boolean", "integer"];

function selectableFieldErrors(
  jsonPath: string | undefined,
  schema: SchemaNode,
  path: string,
  seen: Set<string>,
): FieldError[] {
  if (!jsonPath) return [required(path)];
  const found = findField(jsonPath, schema, false);
  if (typeof found === "string") return [invalid(path, jsonPath, `is an invalid path: ${found}`)];
  const errors: FieldError[] = [];
  if (found.root === "metadata") errors.push(invalid(path, jsonPath, "must not point to fields in metadata"));
  if (!selectableTypes.includes(found.node.source.type ?? ""))
    errors.push(
      invalid(
        path,
        jsonPath,
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
      ),
    );
  if (seen.has(found.path)) errors.push(duplicate(path, jsonPath));
  seen.add(found.path);
  return errors;
}

export function selectableErrors(
  fields: CrdVersion["selectableFields"],
  schema: JsonSchema | undefined,
  path: string,
): FieldError[] {
  if (fields === undefined || fields === null || fields.length === 0) return [];
  if (schema === undefined) return [invalid(path, "", "may only be set when validations.schema is included")];
  const root = compileNode(schema);
  const seen = new Set<string>();
  const errors = fields.flatMap((field, i) =>
    selectableFieldErrors(field.jsonPath, root, `${path}[${i}].jsonPath`, seen),
  );
  return seen.size > maxSelectableFields ? [...errors, tooMany(path, seen.size, maxSelectableFields)] : errors;
}

export function deprecationErrors(version: CrdVersion, path: string): FieldError[] {
  const warning = version.deprecationWarning;
  if (warning === undefined || warning === null) return [];
  const refuse = (detail: string): FieldError => invalid(path, new GoRaw(goJson(warning)), detail);
  if (version.deprecated !== true) return [refuse("can only be set for deprecated versions")];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(warning) > 256) errors.push(refuse("must be <= 256 characters long"));
  if (warning === "") errors.push(refuse("must not be an empty string"));
  const odd = [...warning].findIndex((c) => !/[\p{L}\p{M}\p{N}\p{P}\p{S}\x20]/u.test(c));
  if (odd >= 0) {
    const index = Buffer.byteLength([...warning].slice(0, odd).join(""));
    errors.push(
      refuse(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`),
    );
  }
  return errors;
}
