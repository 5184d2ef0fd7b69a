/** A kind's fields as a flat list, in the order they are written: what documentation and forms are made from. */
import { rootSchema } from "./crd.ts";
import type { DefinedKind } from "./define-kind.ts";
import type { SchemaNode } from "./schema.ts";

export interface Field {
  /** As a person writes it: `spec.taints[].key`, `spec.settings.*`. */
  readonly path: string;
  readonly schema: SchemaNode;
  readonly required: boolean;
  /** Not part of the API we are compatible with, because it or something around it is ours. */
  readonly added: boolean;
}

const everyObjectHas = new Set(["apiVersion", "kind", "metadata"]);

export function fieldsOf({ definition }: DefinedKind): readonly Field[] {
  const root: SchemaNode = rootSchema(definition);
  return below(root, "", false).filter(({ path }) => !everyObjectHas.has(path));
}

function below(parent: SchemaNode, prefix: string, added: boolean): readonly Field[] {
  return Object.entries(parent.properties ?? {}).flatMap(([name, schema]) => {
    const field: Field = {
      path: prefix + name,
      schema,
      required: parent.required?.includes(name) ?? false,
      added: added || schema["~added"] === true,
    };
    return [field, ...inside(field)];
  });
}

function inside({ path, schema, added }: Field): readonly Field[] {
  if (schema.items) return below(schema.items, `${path}[].`, added);
  if (schema.additionalProperties) return below(schema.additionalProperties, `${path}.*.`, added);
  return below(schema, `${path}.`, added);
}
