/**
 * Reads the JSON of a built-in kind as its Go struct would and writes it back: unknown fields are dropped and named, empty
 * optional fields disappear, required ones appear with their zero value, wrong types are refused in Go's words.
 */
import type { Decoded } from "../decode/decode-error.ts";
import { goQuote } from "../decode/go-quote.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { structOfKind } from "./builtin-kinds.ts";
import { EMPTIABLE, type Place, READERS, wrongType, ZERO } from "./go-leaves.ts";
import { type LeafType, type StructField, type StructFieldType, type StructType, structType } from "./struct-types.ts";

/** The object as stored and answered; `strictErrors` name the unknown fields. Undefined when the kind is not built in. */
export function decodeBuiltin(object: JsonObject, apiVersion: string, kind: string): Decoded<JsonObject> | undefined {
  const name = structOfKind(apiVersion, kind);
  return name === undefined ? undefined : decodeStruct(object, name);
}

/** A new object of a built-in kind before anything is set. */
export function emptyBuiltin(apiVersion: string, kind: string): JsonObject | undefined {
  return decodeBuiltin({ apiVersion, kind }, apiVersion, kind)?.value;
}

/**
 * The object as it comes back from storage. Upstream stores built-in kinds (definitions of custom resources aside) as
 * protobuf, which cannot tell an empty list from none: what is required and empty reads as null.
 */
export function storedBuiltin(object: JsonObject, apiVersion: string, kind: string): JsonObject {
  const name = structOfKind(apiVersion, kind);
  if (name === undefined || kind === "CustomResourceDefinition") return object;
  return withoutEmpty(object, structType(name));
}

function withoutEmpty(object: JsonObject, type: StructType): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(object)) {
    const field = type.fields.get(key);
    const value = object[key] as Json;
    result[key] = field === undefined ? value : withoutEmptyBelow(value, field.type);
  }
  return result;
}

function withoutEmptyBelow(value: Json, type: StructFieldType): Json {
  if (type.kind === "struct") return isJsonObject(value) ? withoutEmpty(value, structType(type.struct)) : value;
  if (type.kind === "leaf" || typeof value !== "object" || value === null) return value;
  if (Object.keys(value).length === 0) return null;
  return type.kind === "list" && Array.isArray(value) ? value.map((item) => withoutEmptyBelow(item, type.item)) : value;
}

/** `metadata` of any object, custom ones included. */
export function decodeObjectMeta(metadata: Json): Decoded<JsonObject> {
  const reader = new StructReader();
  const place: Place = { struct: "ObjectMeta", path: ["metadata"] };
  if (!isJsonObject(metadata)) throw wrongType(metadata, { struct: "", path: [] }, "v1.ObjectMeta");
  return {
    value: reader.struct(metadata, structType("meta.ObjectMeta"), { at: "metadata", place }),
    strictErrors: reader.unknown,
  };
}

function decodeStruct(object: JsonObject, name: string): Decoded<JsonObject> {
  const reader = new StructReader();
  const type = structType(name);
  const value = reader.struct(object, type, { at: "", place: { struct: shortName(name), path: [] } });
  return { value, strictErrors: reader.unknown };
}

interface Spot {
  /** With indices, for unknown fields. */
  readonly at: string;
  /** Without, for wrong types. */
  readonly place: Place;
}

const shortName = (name: string): string => name.slice(name.indexOf(".") + 1);
const SCHEMA = "apiextensions.JSONSchemaProps";

class StructReader {
  readonly unknown: string[] = [];

  struct(value: JsonObject, type: StructType, spot: Spot): JsonObject {
    const given: JsonObject = {};
    for (const key of Object.keys(value)) {
      const field = type.fields.get(key);
      if (field !== undefined) given[key] = this.field(value[key] as Json, field.type, inside(spot, type, field));
      else if (type.isObject && (key === "apiVersion" || key === "kind")) given[key] = value[key] as Json;
      else this.unknown.push(`unknown field ${goQuote(spot.at === "" ? key : `${spot.at}.${key}`)}`);
    }
    return this.assemble(given, type);
  }

  /** In the order of the struct, with what Go would leave out left out. */
  private assemble(given: JsonObject, type: StructType): JsonObject {
    const result: JsonObject = {};
    if (type.isObject) for (const key of ["kind", "apiVersion"]) if (given[key]) result[key] = given[key] as Json;
    for (const [name, field] of type.fields) {
      const value = Object.hasOwn(given, name) ? (given[name] as Json) : this.zero(field.type);
      if (!isOmitted(value, field)) result[name] = value;
    }
    return result;
  }

  private zero(type: StructFieldType): Json {
    if (type.kind === "list" || type.kind === "map") return null;
    if (type.pointer) return null;
    return type.kind === "leaf" ? ZERO[type.leaf] : this.assemble({}, structType(type.struct));
  }

  private field(value: Json, type: StructFieldType, spot: Spot): Json {
    if (value === null) return this.zero(type);
    switch (type.kind) {
      case "leaf":
        return this.leaf(value, type.leaf, spot);
      case "struct":
        if (!isJsonObject(value)) throw wrongType(value, spot.place, goTypeName(type, spot.place.goType));
        return this.struct(value, structType(type.struct), spot);
      case "list":
        return this.list(value, type, spot);
      case "map":
        return this.map(value, type, spot);
    }
  }

  private list(value: Json, type: StructFieldType & { kind: "list" }, spot: Spot): Json {
    if (!Array.isArray(value)) throw wrongType(value, spot.place, goTypeName(type, spot.place.goType));
    return value.map((item, i) => this.field(item, type.item, { ...spot, at: `${spot.at}[${i}]` }));
  }

  private map(value: Json, type: StructFieldType & { kind: "map" }, spot: Spot): Json {
    if (!isJsonObject(value)) throw wrongType(value, spot.place, goTypeName(type, spot.place.goType));
    const result: JsonObject = {};
    for (const key of Object.keys(value)) {
      result[key] = this.field(value[key] as Json, type.value, { ...spot, at: `${spot.at}.${key}` });
    }
    return result;
  }

  private leaf(value: Json, leaf: LeafType, spot: Spot): Json {
    if (!leaf.startsWith("schema")) return READERS[leaf](value, spot.place);
    if (isJsonObject(value)) return this.struct(value, structType(SCHEMA), spot);
    if (leaf !== "schemaorarray" || !Array.isArray(value)) return value;
    return value.map((item, i) => this.leaf(item, "schemaorbool", { ...spot, at: `${spot.at}[${i}]` }));
  }
}

function inside({ at, place }: Spot, type: StructType, { name: key, goType }: StructField): Spot {
  return {
    at: at === "" ? key : `${at}.${key}`,
    place: { struct: shortName(type.name), path: [...place.path, key], goType },
  };
}

function isOmitted(value: Json, field: StructField): boolean {
  if (!field.omitEmpty) return false;
  if (value === null) return field.omitZero || isNilable(field.type);
  if (field.type.kind === "list" || field.type.kind === "map") return Object.keys(value as object).length === 0;
  if (field.type.kind === "struct" || field.type.pointer || !EMPTIABLE.has(field.type.leaf)) return false;
  return value === "" || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}

/** Whether null is what Go calls empty here, rather than how a struct spells its zero value. */
function isNilable(type: StructFieldType): boolean {
  return (
    type.kind === "list" || type.kind === "map" || type.pointer || (type.kind === "leaf" && EMPTIABLE.has(type.leaf))
  );
}

const GO_NAMES: Partial<Record<LeafType, string>> = { double: "float64", bytes: "[]uint8", strings: "v1.ExtraValue" };

function goTypeName(type: StructFieldType, ownName: string | undefined): string {
  switch (type.kind) {
    case "leaf":
      return ownName ?? GO_NAMES[type.leaf] ?? type.leaf;
    case "struct":
      return `v1.${shortName(type.struct)}`;
    case "list":
      return `[]${goTypeName(type.item, ownName)}`;
    case "map":
      return `map[string]${goTypeName(type.value, ownName)}`;
  }
}
