/** CEL types derived from schemas: what a rule sees as `self`, how large it can get, and how data becomes values. */
import type { SchemaNode } from "../schema/schema-node.ts";
import { compileNode } from "../schema/schema-node.ts";
import { escapeName } from "./escaping.ts";
import { bytesFromJson, durationFromJson, timestampFromJson } from "./json-values.ts";
import { BOOL, BYTES, type CelType, DOUBLE, DURATION, DYN, INT, listOf, mapOf, STRING, TIMESTAMP } from "./types.ts";
import {
  CelError,
  type Convert,
  JsonMap,
  type ListIdentity,
  ListValue,
  type ObjectField,
  ObjectValue,
  Preserved,
} from "./values.ts";

const maxRequestBytes = 3 * 1024 * 1024;

/** An object type: its name is what messages call it. */
export interface DeclaredObject {
  name: string;
  readonly fields: ReadonlyMap<string, DeclaredType>;
}

export interface DeclaredType {
  readonly type: CelType;
  /** The most elements (characters, items, entries) a value can have within one request. */
  readonly maxElements: number;
  /** The fewest bytes a value takes as JSON. */
  readonly minSize: number;
  readonly elem?: DeclaredType;
  readonly key?: DeclaredType;
  readonly object?: DeclaredObject;
  readonly convert: Convert;
}

const keyType: DeclaredType = { type: STRING, maxElements: 0, minSize: 2, convert: (json) => String(json) };

/** Null is a value only where the schema says so. */
function nullAware(node: SchemaNode, convert: Convert): Convert {
  return (json) => {
    if (json !== null && json !== undefined) return convert(json);
    if (node.nullable) return null;
    throw new CelError("invalid data, got null for schema with nullable=false");
  };
}

const intOrString: Convert = (json) => {
  if (typeof json === "string") return json;
  if (typeof json === "number" && Number.isInteger(json)) return BigInt(json);
  throw new CelError("invalid data, expected XIntOrString value to be either a string or integer");
};

function maxLengthOf(node: SchemaNode): number | undefined {
  const length = node.source.maxLength;
  return typeof length === "number" ? Math.max(0, length) : undefined;
}

function longestEnum(node: SchemaNode): number | undefined {
  const values = node.enum?.filter((v): v is string => typeof v === "string");
  return values === undefined ? undefined : Math.max(0, ...values.map((v) => Buffer.byteLength(v)));
}

function declareString(node: SchemaNode): DeclaredType {
  const limit = maxLengthOf(node);
  switch (node.source.format) {
    case "byte":
      return { type: BYTES, maxElements: limit ?? maxRequestBytes - 2, minSize: 2, convert: bytesFromJson };
    case "duration":
      return { type: DURATION, maxElements: 32, minSize: 3, convert: durationFromJson };
    case "date":
      return { type: TIMESTAMP, maxElements: 12, minSize: 12, convert: timestampFromJson };
    case "date-time":
      return { type: TIMESTAMP, maxElements: 32, minSize: 21, convert: timestampFromJson };
    default: {
      // A character takes up to four bytes.
      const maxElements = limit === undefined ? (longestEnum(node) ?? maxRequestBytes - 2) : limit * 4;
      return { type: STRING, maxElements, minSize: 2, convert: (json) => String(json) };
    }
  }
}

function identityOf(node: SchemaNode): ListIdentity | undefined {
  return node.listType === "set" || node.listType === "map"
    ? { type: node.listType, keys: node.listMapKeys.map((key) => escapeName(key) ?? key) }
    : undefined;
}

function declareArray(node: SchemaNode): DeclaredType | undefined {
  const elem = node.items === undefined ? undefined : declareType(node.items, node.items.embedded);
  if (elem === undefined) return undefined;
  const { maxItems } = node.source;
  const fits = Math.floor((maxRequestBytes - 2) / (elem.minSize + 1));
  const identity = identityOf(node);
  return {
    type: listOf(elem.type),
    maxElements: typeof maxItems === "number" ? Math.max(0, maxItems) : fits,
    minSize: 2,
    elem,
    convert: (json) => new ListValue(json as readonly unknown[], elem.convert, identity),
  };
}

function declareMap(node: SchemaNode, values: SchemaNode): DeclaredType | undefined {
  const elem = declareType(values, values.embedded);
  if (elem === undefined) return undefined;
  const { maxProperties } = node.source;
  const fits = Math.floor((maxRequestBytes - 2) / (elem.minSize + 6));
  return {
    type: mapOf(STRING, elem.type),
    maxElements: typeof maxProperties === "number" ? Math.max(0, maxProperties) : fits,
    minSize: 2,
    elem,
    key: keyType,
    convert: (json) => new JsonMap(json as Record<string, unknown>, elem.convert),
  };
}

function declareObject(node: SchemaNode): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  const values = new Map<string, ObjectField>();
  let minSize = 2;
  for (const [name, property] of node.properties) {
    const declared = declareType(property, property.embedded);
    const escaped = escapeName(name);
    if (declared !== undefined && escaped !== undefined) fields.set(escaped, declared);
    if (declared !== undefined && node.required.includes(name) && property.default === undefined)
      minSize += Buffer.byteLength(name) + declared.minSize + 4;
    values.set(escaped ?? `/${name}`, {
      jsonName: name,
      convert: declared?.convert ?? ((json) => new Preserved(json)),
    });
  }
  const object: DeclaredObject = { name: "object", fields };
  return {
    type: { kind: "object", object },
    maxElements: 0,
    minSize,
    object,
    convert: (json) => new ObjectValue(json as Record<string, unknown>, values),
  };
}

const stringNode = compileNode({ type: "string" });
const metadataNode = compileNode({
  type: "object",
  properties: { name: { type: "string" }, generateName: { type: "string" } },
});

/** Resources always have a kind, an apiVersion and the names in metadata, whatever their schema says. */
function withMeta(node: SchemaNode): SchemaNode {
  const properties = new Map(node.properties);
  const metadata = properties.get("metadata");
  const has = (name: string): boolean => metadata?.properties.get(name)?.source.type === "string";
  if (
    has("name") &&
    has("generateName") &&
    properties.get("kind")?.source.type === "string" &&
    properties.get("apiVersion")?.source.type === "string"
  )
    return node;
  return {
    ...node,
    properties: properties.set("kind", stringNode).set("apiVersion", stringNode).set("metadata", metadataNode),
  };
}

function declareByType(node: SchemaNode): DeclaredType | undefined {
  switch (node.source.type) {
    case "array":
      return declareArray(node);
    case "object":
      return node.additional === undefined || node.additional === true
        ? declareObject(node)
        : declareMap(node, node.additional);
    case "string":
      return declareString(node);
    case "boolean":
      return { type: BOOL, maxElements: 0, minSize: 4, convert: (json) => json === true };
    case "number":
      return { type: DOUBLE, maxElements: 0, minSize: 1, convert: (json) => Number(json) };
    case "integer":
      return { type: INT, maxElements: 0, minSize: 1, convert: (json) => BigInt(Math.trunc(Number(json))) };
    default:
      return undefined;
  }
}

/** The type of a schema node, or undefined when rules cannot see it (unknown fields only). */
export function declareType(node: SchemaNode, isResourceRoot: boolean): DeclaredType | undefined {
  if (node.intOrString) {
    const limit = maxLengthOf(node);
    const maxElements = limit === undefined ? maxRequestBytes - 2 : limit * 4;
    return { type: DYN, maxElements, minSize: 1, convert: nullAware(node, intOrString) };
  }
  const declared = declareByType(isResourceRoot ? withMeta(node) : node);
  return declared === undefined ? undefined : { ...declared, convert: nullAware(node, declared.convert) };
}

/** Gives object types the dotted names that messages show, starting from the root's. */
export function nameTypes(declared: DeclaredType, name: string): void {
  if (declared.object !== undefined) {
    declared.object.name = name;
    for (const [field, type] of declared.object.fields) nameTypes(type, `${name}.${field}`);
  }
  if (declared.elem !== undefined)
    nameTypes(declared.elem, declared.key === undefined ? `${name}.@idx` : `${name}.@elem`);
}

/** The most times data of this size can occur in one request. */
export function maxCardinality(minSize: number): number {
  return Math.floor(maxRequestBytes / (minSize + 1));
}
