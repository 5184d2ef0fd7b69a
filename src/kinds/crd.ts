/** A defined kind as the CustomResourceDefinition an API server is told. Pure; writes nothing. */
import type { CustomResourceDefinition } from "./core/custom-resource-definition.ts";
import type { Column, DefinedKind, KindDefinition } from "./define-kind.ts";
import { bareObject, object, optional, type Properties, type Schema, type SchemaNode, string } from "./schema.ts";

/** The order in which keywords are written, so that a reader meets the sentence first and the nesting last. */
const keywordOrder = ["description", "type", "format", "default", "enum", "pattern", "required"];
const nestedLast = ["anyOf", "items", "additionalProperties", "properties"];

export function crdOf({ definition }: DefinedKind): CustomResourceDefinition {
  const { group, kind, plural, scope, shortNames, categories } = definition;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: definition.singular ?? kind.toLowerCase(),
        ...(shortNames && { shortNames: [...shortNames] }),
        ...(categories && { categories: [...categories] }),
      },
      scope,
      versions: [versionOf(definition)],
    },
  };
}

function versionOf(definition: KindDefinition): CustomResourceDefinition["spec"]["versions"][number] {
  const { version, deprecationWarning, columns, selectableFields } = definition;
  return {
    name: version,
    served: true,
    storage: true,
    ...(deprecationWarning !== undefined && { deprecated: true, deprecationWarning }),
    ...(columns && { additionalPrinterColumns: columns.map(printerColumn) }),
    ...(selectableFields && { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
    schema: { openAPIV3Schema: wireSchema(rootSchema(definition)) },
    subresources: { status: {} },
  };
}

function printerColumn({ name, path, type, priority }: Column) {
  return { name, type, jsonPath: path, ...(priority !== undefined && { priority }) };
}

/** The schema of the whole object. `metadata` is the API server's business. */
export function rootSchema({ describe, spec, specRequired, status, fields }: KindDefinition): Schema {
  const properties: Properties = {
    apiVersion: optional(string("The group and version this object is written in.")),
    kind: optional(string("The kind of this object.")),
    metadata: optional(bareObject),
    ...fields,
    ...(spec && { spec: specRequired ? spec : optional(spec) }),
    ...(status && { status: optional(status) }),
  };
  return object(describe, properties);
}

/** The schema without our own keys, in reading order. */
function wireSchema(node: SchemaNode): Record<string, unknown> {
  const keys = Object.keys(node).filter((key) => !key.startsWith("~"));
  return Object.fromEntries(
    keys.sort(byReadingOrder).map((key) => [key, wireValue(key, node[key as keyof SchemaNode])]),
  );
}

function wireValue(key: string, value: unknown): unknown {
  if (key === "items" || key === "additionalProperties") return wireSchema(value as SchemaNode);
  if (key === "anyOf") return (value as readonly SchemaNode[]).map(wireSchema);
  if (key !== "properties") return value;
  const properties = Object.entries(value as Record<string, SchemaNode>);
  return Object.fromEntries(properties.map(([name, property]) => [name, wireSchema(property)]));
}

function byReadingOrder(a: string, b: string): number {
  return rank(a) - rank(b);
}

function rank(key: string): number {
  const first = keywordOrder.indexOf(key);
  if (first >= 0) return first;
  const last = nestedLast.indexOf(key);
  return keywordOrder.length + (last < 0 ? 0 : 1 + last);
}
