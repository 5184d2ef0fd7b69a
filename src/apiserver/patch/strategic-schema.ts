/** What strategic merge needs to know of a built-in type: how each list is merged, and what lies below. */
import { type StructField, type StructFieldType, structType } from "../builtins/struct-types.ts";

/** A position in a type; undefined where the type says nothing (free data). */
export type StrategicSchema = StructFieldType | undefined;

export interface FieldStrategy {
  /** The type of the field's map, or of the items of its list. */
  readonly below: StrategicSchema;
  readonly strategy: "merge" | "replace" | "";
  readonly mergeKey: string | undefined;
}

const NOTHING: FieldStrategy = { below: undefined, strategy: "", mergeKey: undefined };

/** The schema of a whole kind, by the name of its struct. */
export const structSchema = (struct: string): StrategicSchema => ({ kind: "struct", struct, pointer: false });

/** How a key of a map is patched. */
export function fieldStrategy(schema: StrategicSchema, key: string): FieldStrategy {
  if (schema?.kind === "map") return { ...NOTHING, below: itemOf(schema.value) };
  if (schema?.kind !== "struct") return NOTHING;
  const field = structType(schema.struct).fields.get(key);
  if (field === undefined) return NOTHING;
  return { below: itemOf(field.type), strategy: strategyOf(field), mergeKey: field.patch?.mergeKey };
}

function itemOf(type: StructFieldType): StrategicSchema {
  return type.kind === "list" ? type.item : type;
}

function strategyOf(field: StructField): FieldStrategy["strategy"] {
  const strategies = field.patch?.strategies ?? [];
  if (strategies.includes("merge")) return "merge";
  return strategies.includes("replace") ? "replace" : "";
}
