/**
 * The structs behind the built-in kinds, read from compact tables. One entry is `group.Name flags: field; field; …`; a
 * field is `name[?[!]] number type options`, where `?` omits it when empty (`!` when it is a zero time) and the number is
 * its protobuf number (`2.1`: number 1 of an embedded message 2). Types are scalars, `[item]`, `{value}`, `*pointer` and names.
 * Options: `set`, `map=key,key`, `atomic`, `default=json`, `patch=strategy+strategy:mergeKey`, `go=type`.
 */
import type { Json } from "../json.ts";
import { accessTypes } from "./tables/access-types.ts";
import { coreTypes } from "./tables/core-types.ts";
import { extensionTypes } from "./tables/extension-types.ts";
import { metaTypes } from "./tables/meta-types.ts";

/** Scalars, and the types that write themselves in a way of their own. */
export type LeafType =
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "double"
  | "bytes"
  | "time"
  | "micro"
  | "quantity"
  | "intorstring"
  | "raw"
  | "json"
  | "fields"
  | "strings"
  | "schemaorarray"
  | "schemaorbool"
  | "schemaorstrings";

export type StructFieldType =
  | { readonly kind: "leaf"; readonly leaf: LeafType; readonly pointer: boolean }
  | { readonly kind: "struct"; readonly struct: string; readonly pointer: boolean }
  | { readonly kind: "list"; readonly item: StructFieldType }
  | { readonly kind: "map"; readonly value: StructFieldType };

export interface StructField {
  readonly name: string;
  /** Protobuf numbers from the outside in. */
  readonly numbers: readonly number[];
  readonly type: StructFieldType;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** How the items of a list relate; empty keys make a set. */
  readonly listKeys: readonly string[] | undefined;
  readonly atomic: boolean;
  /** The name Go has for a string type of its own. */
  readonly goType: string | undefined;
  readonly default: Json | undefined;
  readonly patch: { readonly strategies: readonly string[]; readonly mergeKey: string | undefined } | undefined;
}

export interface StructType {
  readonly name: string;
  /** Carries apiVersion and kind. */
  readonly isObject: boolean;
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, StructField>;
}

let registry: ReadonlyMap<string, StructType> | undefined;

/** The struct of that name (`core.ServiceSpec`); a name that no table has is a mistake in a table. */
export function structType(name: string): StructType {
  registry ??= new Map([metaTypes, coreTypes, accessTypes, extensionTypes].flatMap(parseTable));
  const type = registry.get(name);
  if (type === undefined) throw new TypeError(`the built-in type tables have no ${name}`);
  return type;
}

function parseTable(table: string): [string, StructType][] {
  const entries = table.trim().split(/\n(?=\S)/);
  return entries.map((entry) => {
    const type = parseEntry(entry.replace(/\s+/g, " "));
    return [type.name, type];
  });
}

function parseEntry(entry: string): StructType {
  const colon = entry.indexOf(":");
  const [name = "", ...flags] = entry.slice(0, colon).split(" ");
  const fields = entry
    .slice(colon + 1)
    .split(";")
    .map((field) => field.trim());
  const parsed = fields.filter((field) => field !== "").map(parseField);
  return {
    name,
    isObject: flags.includes("object"),
    atomic: flags.includes("atomic"),
    fields: new Map(parsed.map((field) => [field.name, field])),
  };
}

function parseField(text: string): StructField {
  const [title = "", numbers = "", type = "", ...options] = text.split(" ");
  const option = (key: string): string | undefined =>
    options.find((item) => item.startsWith(`${key}=`))?.slice(key.length + 1);
  const preset = option("default");
  return {
    name: title.replace(/[?!]+$/, ""),
    numbers: numbers.split(".").map(Number),
    type: parseType(type),
    omitEmpty: title.includes("?"),
    omitZero: title.includes("!"),
    listKeys: options.includes("set") ? [] : option("map")?.split(","),
    atomic: options.includes("atomic"),
    goType: option("go"),
    default: preset === undefined ? undefined : (JSON.parse(preset) as Json),
    patch: parsePatch(option("patch")),
  };
}

function parsePatch(text: string | undefined): StructField["patch"] {
  if (text === undefined) return undefined;
  const [strategies = "", mergeKey] = text.split(":");
  return { strategies: strategies.split("+"), mergeKey };
}

function parseType(text: string): StructFieldType {
  if (text.startsWith("[")) return { kind: "list", item: parseType(text.slice(1, -1)) };
  if (text.startsWith("{")) return { kind: "map", value: parseType(text.slice(1, -1)) };
  const pointer = text.startsWith("*");
  const name = pointer ? text.slice(1) : text;
  if (name.includes(".")) return { kind: "struct", struct: name, pointer };
  return { kind: "leaf", leaf: name as LeafType, pointer };
}
