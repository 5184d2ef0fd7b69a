/** The type models of the built-in kinds, for ownership and apply. */
import {
  deduced,
  type FieldModel,
  type MapModel,
  type TypeModel,
  untypedAtomic,
} from "../managed-fields/type-model.ts";
import { structOfKind } from "./builtin-kinds.ts";
import { type LeafType, type StructField, type StructFieldType, type StructType, structType } from "./struct-types.ts";

const STRING: TypeModel = { scalar: "string" };
const UNTYPED: TypeModel = {
  scalar: "untyped",
  list: { relationship: "atomic", keys: [], element: untypedAtomic },
  map: freeMap(),
};

const LEAVES: Record<LeafType, TypeModel> = {
  string: STRING,
  bool: { scalar: "boolean" },
  int32: { scalar: "numeric" },
  int64: { scalar: "numeric" },
  double: { scalar: "numeric" },
  bytes: STRING,
  time: STRING,
  micro: STRING,
  quantity: { scalar: "untyped" },
  intorstring: UNTYPED,
  raw: untypedAtomic,
  json: UNTYPED,
  fields: { map: freeMap() },
  strings: { list: { relationship: "atomic", keys: [], element: STRING } },
  schemaorarray: UNTYPED,
  schemaorbool: UNTYPED,
  schemaorstrings: UNTYPED,
};

function freeMap(): MapModel {
  return {
    relationship: "separable",
    fields: new Map(),
    get element(): TypeModel {
      return deduced;
    },
  };
}

const models = new Map<string, TypeModel>();

/** The model of a built-in kind; undefined when the kind is not built in. */
export function builtinModel(apiVersion: string, kind: string): TypeModel | undefined {
  const name = structOfKind(apiVersion, kind);
  return name === undefined ? undefined : structModel(name);
}

/** The model of `metadata`, which custom resources share. */
export function objectMetaModel(): TypeModel {
  return structModel("meta.ObjectMeta");
}

function structModel(name: string): TypeModel {
  const known = models.get(name);
  if (known !== undefined) return known;
  const type = structType(name);
  const model: TypeModel = { map: new StructModel(type, type.atomic) };
  models.set(name, model);
  return model;
}

/** Fields are resolved on first use, because types contain themselves (a schema has schemas in it). */
class StructModel implements MapModel {
  readonly relationship: MapModel["relationship"];
  /** A struct without fields says nothing, so anything may be in it. */
  readonly element: TypeModel | undefined;
  private readonly struct: StructType;
  private resolved: ReadonlyMap<string, FieldModel> | undefined;

  constructor(struct: StructType, atomic: boolean) {
    this.struct = struct;
    this.relationship = atomic ? "atomic" : "separable";
    this.element = struct.fields.size === 0 ? deduced : undefined;
  }

  get fields(): ReadonlyMap<string, FieldModel> {
    this.resolved ??= this.resolve();
    return this.resolved;
  }

  private resolve(): ReadonlyMap<string, FieldModel> {
    const fields = new Map<string, FieldModel>();
    if (this.struct.isObject) for (const name of ["apiVersion", "kind"]) fields.set(name, { type: STRING });
    for (const [name, field] of this.struct.fields) fields.set(name, fieldModel(field));
    return fields;
  }
}

function fieldModel(field: StructField): FieldModel {
  const type = typeModel(field.type, field);
  return field.default === undefined ? { type } : { type, default: field.default };
}

function typeModel(type: StructFieldType, field: StructField | undefined): TypeModel {
  switch (type.kind) {
    case "leaf":
      return LEAVES[type.leaf];
    case "struct":
      return field?.atomic ? { map: new StructModel(structType(type.struct), true) } : structModel(type.struct);
    case "map":
      return {
        map: {
          relationship: field?.atomic ? "atomic" : "separable",
          fields: new Map(),
          element: typeModel(type.value, undefined),
        },
      };
    case "list":
      return {
        list: {
          relationship: field?.listKeys === undefined ? "atomic" : "associative",
          keys: field?.listKeys ?? [],
          element: typeModel(type.item, undefined),
        },
      };
  }
}
