/** What CEL computes with. Integers are bigints, doubles are numbers; data from objects is wrapped lazily, never copied. */

/** A failure of evaluation; the logical operators may absorb it. */
export class CelError extends Error {}

export const noSuchOverload = (): CelError => new CelError("no such overload");

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export class Timestamp {
  /** Nanoseconds since 1970. */
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** The value of `type(x)` and of type names. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class Optional {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }

  static readonly none = new Optional(undefined);
}

/** A value of a library: it knows its type name and how to compare itself. */
export interface Opaque {
  readonly opaqueType: string;
  equals(other: Value): boolean;
}

/** Data that the schema preserves without describing: it can only be compared. */
export class Preserved {
  readonly json: unknown;

  constructor(json: unknown) {
    this.json = json;
  }
}

export type Convert = (json: unknown) => Value;

/** How items of a list are told apart, for lists of type set and map. */
export interface ListIdentity {
  readonly type: "set" | "map";
  readonly keys: readonly string[];
}

export class ListValue {
  readonly raw: readonly unknown[];
  readonly identity: ListIdentity | undefined;
  private readonly convert: Convert | undefined;

  constructor(raw: readonly unknown[], convert?: Convert, identity?: ListIdentity) {
    this.raw = raw;
    this.convert = convert;
    this.identity = identity;
  }

  get size(): number {
    return this.raw.length;
  }

  at(index: number): Value {
    const item = this.raw[index];
    return this.convert === undefined ? (item as Value) : this.convert(item);
  }

  *[Symbol.iterator](): Generator<Value> {
    for (let i = 0; i < this.raw.length; i++) yield this.at(i);
  }
}

/** A map from data: keys are strings. */
export class JsonMap {
  readonly json: Readonly<Record<string, unknown>>;
  readonly convert: Convert;
  private names: readonly string[] | undefined;

  constructor(json: Readonly<Record<string, unknown>>, convert: Convert) {
    this.json = json;
    this.convert = convert;
  }

  get size(): number {
    return this.keyNames().length;
  }

  keyNames(): readonly string[] {
    this.names ??= Object.keys(this.json);
    return this.names;
  }

  keys(): readonly Value[] {
    return this.keyNames();
  }

  find(key: Value): Value | undefined {
    return typeof key === "string" && Object.hasOwn(this.json, key) ? this.convert(this.json[key]) : undefined;
  }
}

/** Numbers that are equal are the same key, whatever their type. */
function keyOf(key: Value): string | number | bigint | boolean {
  if (typeof key === "string") return `s${key}`;
  if (key instanceof Uint) return key.value;
  if (typeof key === "number" && Number.isInteger(key)) return BigInt(key);
  if (typeof key === "bigint" || typeof key === "boolean" || typeof key === "number") return key;
  throw new CelError(`unsupported key type: ${typeName(key)}`);
}

/** A map built by an expression. */
export class MapValue {
  private readonly entries = new Map<unknown, readonly [Value, Value]>();

  get size(): number {
    return this.entries.size;
  }

  set(key: Value, value: Value): void {
    this.entries.set(keyOf(key), [key, value]);
  }

  keys(): readonly Value[] {
    return [...this.entries.values()].map(([key]) => key);
  }

  find(key: Value): Value | undefined {
    try {
      return this.entries.get(keyOf(key))?.[1];
    } catch {
      return undefined;
    }
  }
}

export interface ObjectField {
  readonly jsonName: string;
  readonly convert: Convert;
}

/** An object whose fields the schema declares. */
export class ObjectValue {
  readonly json: Readonly<Record<string, unknown>>;
  readonly fields: ReadonlyMap<string, ObjectField>;

  constructor(json: Readonly<Record<string, unknown>>, fields: ReadonlyMap<string, ObjectField>) {
    this.json = json;
    this.fields = fields;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  /** The field by its CEL name, or undefined when it is not set. A null field of an object counts as not set. */
  find(name: string): Value | undefined {
    const field = this.fields.get(name);
    if (field === undefined || !Object.hasOwn(this.json, field.jsonName)) return undefined;
    const json = this.json[field.jsonName];
    return json === null ? undefined : field.convert(json);
  }
}

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | TypeValue
  | Optional
  | ListValue
  | JsonMap
  | MapValue
  | ObjectValue
  | Preserved
  | Opaque;

export const isMap = (value: Value): value is JsonMap | MapValue =>
  value instanceof JsonMap || value instanceof MapValue;

const primitiveNames: Readonly<Record<string, string>> = {
  boolean: "bool",
  bigint: "int",
  number: "double",
  string: "string",
};

const classNames: readonly (readonly [new (...args: never[]) => object, string])[] = [
  [Uint8Array, "bytes"],
  [Uint, "uint"],
  [Timestamp, "google.protobuf.Timestamp"],
  [Duration, "google.protobuf.Duration"],
  [TypeValue, "type"],
  [Optional, "optional_type"],
  [ListValue, "list"],
  [JsonMap, "map"],
  [MapValue, "map"],
  [ObjectValue, "object"],
  [Preserved, "unknown"],
];

/** The name of a value's type. */
export function typeName(value: Value): string {
  if (value === null) return "null_type";
  if (typeof value !== "object") return primitiveNames[typeof value] ?? typeof value;
  const known = classNames.find(([type]) => value instanceof type);
  return known === undefined ? (value as Opaque).opaqueType : known[1];
}
