/**
 * How values of a kind are owned and merged: which lists are sets or maps, what is atomic, what is unknown. A model may
 * allow several shapes at once (int-or-string, schemaless data); which one applies is read off the value.
 */
import { isJsonObject, type Json } from "../json.ts";

export type ScalarModel = "numeric" | "string" | "boolean" | "untyped";

export interface TypeModel {
  readonly scalar?: ScalarModel;
  readonly list?: ListModel;
  readonly map?: MapModel;
}

export interface ListModel {
  /** An associative list without keys is a set. */
  readonly relationship: "atomic" | "associative";
  readonly keys: readonly string[];
  readonly element: TypeModel;
}

export interface MapModel {
  readonly relationship: "atomic" | "separable";
  /** The named fields; built on demand where a type contains itself. */
  readonly fields: ReadonlyMap<string, FieldModel>;
  /** The type of every key that is not a named field; absent when there may be none. */
  readonly element: TypeModel | undefined;
}

export interface FieldModel {
  readonly type: TypeModel;
  /** Stands in for a missing key of an associative list. */
  readonly default?: Json;
}

/** Which shape of a model a value takes; `any` when the value decides nothing (null, or a shape the model lacks). */
export type Shape = "map" | "scalar" | "list" | "any";

/** Data that is owned as one piece, whatever it is. */
export const untypedAtomic: TypeModel = {
  scalar: "untyped",
  get list(): ListModel {
    return { relationship: "atomic", keys: [], element: untypedAtomic };
  },
  get map(): MapModel {
    return { relationship: "atomic", fields: new Map(), element: untypedAtomic };
  },
};

/** Data without a schema: maps are merged key by key, lists are atomic. */
export const deduced: TypeModel = {
  scalar: "untyped",
  list: { relationship: "atomic", keys: [], element: untypedAtomic },
  map: {
    relationship: "separable",
    fields: new Map(),
    get element(): TypeModel {
      return deduced;
    },
  },
};

/** The type of a map's key. */
export function typeOfKey(map: MapModel, key: string): TypeModel | undefined {
  return map.fields.get(key)?.type ?? map.element;
}

/** The shape a value takes under a model. */
export function shapeOf(model: TypeModel, value: Json | undefined): Shape {
  const only = onlyShape(model);
  if (only !== undefined) return only;
  if (value === undefined || value === null) return "any";
  const shape = Array.isArray(value) ? "list" : isJsonObject(value) ? "map" : "scalar";
  return model[shape] === undefined ? "any" : shape;
}

function onlyShape({ map, scalar, list }: TypeModel): Shape | undefined {
  if (map !== undefined) return scalar === undefined && list === undefined ? "map" : undefined;
  if (scalar !== undefined) return list === undefined ? "scalar" : undefined;
  return list === undefined ? undefined : "list";
}

/** The shape that `any` is handled as: upstream's order. */
export function concreteShape(model: TypeModel, shape: Shape): "map" | "scalar" | "list" {
  if (shape !== "any") return shape;
  if (model.map !== undefined) return "map";
  return model.scalar !== undefined ? "scalar" : "list";
}
