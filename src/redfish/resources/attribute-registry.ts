/** Attribute registries: what settings a machine has, of which type, within which bounds, and what depends on what. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import { type Json, readBoolean, readNumber, readRecord, readRecords, readString, reported } from "../protocol/read.ts";
import type { CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { pathOf } from "../protocol/session.ts";

export type AttributeValue = string | number | boolean | null;

export interface Attribute {
  readonly name: string;
  /** Enumeration, String, Integer, Boolean, Password; others are kept as the registry spells them. */
  readonly type: string;
  readonly readOnly: boolean;
  readonly hidden: boolean;
  readonly immutable: boolean;
  /** Undefined when the registry does not say. */
  readonly resetRequired?: boolean;
  readonly displayName?: string;
  readonly defaultValue?: AttributeValue;
  readonly lowerBound?: number;
  readonly upperBound?: number;
  readonly scalarIncrement?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Value names of an enumeration with how they are displayed. */
  readonly values: ReadonlyMap<string, string>;
}

/** While all conditions hold, a property of one attribute has a value. */
export interface Dependency {
  readonly attribute: string;
  readonly property: string;
  readonly value: unknown;
  readonly conditions: readonly Condition[];
}

export interface Condition {
  readonly attribute: string;
  /** CurrentValue, or another property such as ReadOnly. */
  readonly property: string;
  readonly test: "EQU" | "NEQ" | "GTR" | "GEQ" | "LSS" | "LEQ";
  readonly value: unknown;
  /** How it joins the condition before it. */
  readonly joins: "AND" | "OR";
}

export interface AttributeRegistry {
  readonly id: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly dependencies: readonly Dependency[];
}

/**
 * The registry a resource names in `AttributeRegistry`; where no file has that name, the last one whose Id contains
 * `family`, such as "BiosAttributeRegistry".
 */
export async function readRegistry(
  service: RedfishService,
  wanted: { readonly registries: string; readonly name?: string | undefined; readonly family: string },
  options: CallOptions = {},
): Promise<Outcome<AttributeRegistry>> {
  const files = await service.members(wanted.registries, options);
  if (!files.ok) return files;
  const file = chooseFile(files.value, wanted);
  const uri = file && locationOf(file);
  if (uri === undefined)
    return failure("NotSupported", `${wanted.registries} has no registry called ${wanted.name ?? wanted.family}`);
  const content = await service.get(uri, { timeoutMs: 120_000, ...options });
  return content.ok ? success(registryOf(content.value.body, service.quirks.readOnlyProperty)) : content;
}

function chooseFile(
  files: readonly Resource[],
  { name, family }: { readonly name?: string | undefined; readonly family: string },
): Resource | undefined {
  const named = files.find(({ body }) => name !== undefined && [body.Registry, body.Id].includes(name));
  return named ?? files.filter(({ body }) => readString(body, "Id")?.includes(family)).at(-1);
}

/** English where there is a choice: what people write in manifests are value names, but messages show display names. */
function locationOf({ body }: Resource): string | undefined {
  const places = readRecords(body, "Location");
  const english = places.find((place) => /^en/i.test(readString(place, "Language") ?? "")) ?? places[0];
  const uri = readString(english, "Uri");
  return uri === undefined ? undefined : pathOf(uri);
}

export function registryOf(body: Json, readOnlyProperty = "ReadOnly"): AttributeRegistry {
  const entries = readRecord(body, "RegistryEntries");
  const attributes = readRecords(entries, "Attributes").map((entry) => attributeOf(entry, readOnlyProperty));
  return {
    id: readString(body, "Id") ?? "",
    attributes: new Map(attributes.filter((one) => one !== undefined).map((one) => [one.name, one])),
    dependencies: readRecords(entries, "Dependencies").flatMap(dependencyOf),
  };
}

function attributeOf(entry: Json, readOnlyProperty: string): Attribute | undefined {
  const name = readString(entry, "AttributeName");
  if (name === undefined) return undefined;
  return {
    name,
    type: readString(entry, "Type") ?? "String",
    readOnly: readBoolean(entry, readOnlyProperty) ?? readBoolean(entry, "ReadOnly") ?? false,
    hidden: readBoolean(entry, "Hidden") ?? false,
    immutable: readBoolean(entry, "Immutable") ?? false,
    ...reported({
      resetRequired: readBoolean(entry, "ResetRequired"),
      displayName: readString(entry, "DisplayName"),
      defaultValue: attributeValueOf(entry.DefaultValue),
      lowerBound: readNumber(entry, "LowerBound"),
      upperBound: readNumber(entry, "UpperBound"),
      scalarIncrement: readNumber(entry, "ScalarIncrement"),
      minLength: readNumber(entry, "MinLength"),
      maxLength: readNumber(entry, "MaxLength"),
      pattern: readString(entry, "ValueExpression"),
    }),
    values: new Map(readRecords(entry, "Value").flatMap(choiceOf)),
  };
}

export function attributeValueOf(value: unknown): AttributeValue | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function choiceOf(entry: Json): [string, string][] {
  const name = readString(entry, "ValueName");
  return name === undefined ? [] : [[name, readString(entry, "ValueDisplayName") ?? name]];
}

function dependencyOf(entry: Json): Dependency[] {
  const map = readRecord(entry, "Dependency");
  const attribute = readString(map, "MapToAttribute") ?? readString(entry, "DependencyFor");
  const property = readString(map, "MapToProperty");
  if (attribute === undefined || property === undefined) return [];
  const conditions = readRecords(map, "MapFrom").flatMap(conditionOf);
  return conditions.length === 0 ? [] : [{ attribute, property, value: map?.MapToValue, conditions }];
}

const tests: readonly string[] = ["EQU", "NEQ", "GTR", "GEQ", "LSS", "LEQ"];

function conditionOf(entry: Json): Condition[] {
  const attribute = readString(entry, "MapFromAttribute");
  const test = readString(entry, "MapFromCondition") ?? "EQU";
  if (attribute === undefined || !tests.includes(test)) return [];
  return [
    {
      attribute,
      property: readString(entry, "MapFromProperty") ?? "CurrentValue",
      test: test as Condition["test"],
      value: entry.MapFromValue,
      joins: readString(entry, "MapTerms") === "OR" ? "OR" : "AND",
    },
  ];
}
