/** `metadata.managedFields` in memory: who manages which fields, since when, through which version. */
import { goQuote } from "../decode/go-quote.ts";
import { getOwn, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { TypedError } from "./typed-error.ts";

export interface Manager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
}

/** By identity: an applier is one manager whatever version it applies, an updater is one per version. */
export type Managers = Map<string, Manager>;

export function managerId({ manager, operation, apiVersion, subresource }: Omit<Manager, "time" | "set">): string {
  const identity: Record<string, string> = {};
  if (manager !== "") identity.manager = manager;
  identity.operation = operation;
  if (operation === "Update") identity.apiVersion = apiVersion;
  if (subresource !== "") identity.subresource = subresource;
  return JSON.stringify(identity);
}

/**
 * Both forms of a set: entries are immutable once stored, and most writes meet the same ones again. What a client sent is
 * never reused as the encoded form, for it may be spelled differently.
 */
const parsed = new WeakMap<JsonObject, FieldSet>();
const encoded = new WeakMap<FieldSet, JsonObject>();

function parseSet(fields: Json | undefined): FieldSet {
  if (!isJsonObject(fields)) return new FieldSet();
  const known = parsed.get(fields);
  if (known !== undefined) return known;
  const set = FieldSet.fromFieldsV1(fields);
  parsed.set(fields, set);
  return set;
}

/** Reads managedFields; throws `TypedError` with upstream's text when an entry is not valid. */
export function decodeManagers(entries: Json | undefined): Managers {
  const managers: Managers = new Map();
  if (!Array.isArray(entries)) return managers;
  for (const [index, entry] of entries.entries()) {
    const manager = decodeEntry(isJsonObject(entry) ? entry : {}, index);
    managers.set(managerId(manager), manager);
  }
  return managers;
}

function decodeEntry(entry: JsonObject, index: number): Manager {
  const operation = text(entry, "operation");
  if (operation !== "Apply" && operation !== "Update") throw new TypedError("operation must be `Apply` or `Update`");
  const apiVersion = text(entry, "apiVersion");
  if (apiVersion === "") throw new TypedError("apiVersion must not be empty");
  const fieldsType = text(entry, "fieldsType");
  if (fieldsType === "") throw new TypedError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== "FieldsV1") {
    throw new TypedError(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
  }
  return {
    manager: text(entry, "manager"),
    operation,
    apiVersion,
    subresource: text(entry, "subresource"),
    time: text(entry, "time") || undefined,
    set: parseSet(getOwn(entry, "fieldsV1")),
  };
}

function text(entry: JsonObject, key: string): string {
  const value = getOwn(entry, key);
  return typeof value === "string" ? value : "";
}

/** Writes managedFields in upstream's order; undefined when nobody manages anything. */
export function encodeManagers(managers: Managers): JsonObject[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].sort(compareManagers).map(encodeEntry);
}

function encodeEntry({ manager, operation, apiVersion, subresource, time, set }: Manager): JsonObject {
  const fieldsV1 = encodeSet(set);
  const entry: JsonObject = {};
  if (manager !== "") entry.manager = manager;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = "FieldsV1";
  entry.fieldsV1 = fieldsV1;
  if (subresource !== "") entry.subresource = subresource;
  return entry;
}

function encodeSet(set: FieldSet): JsonObject {
  const known = encoded.get(set);
  if (known !== undefined) return known;
  const fields = set.toFieldsV1();
  parsed.set(fields, set);
  encoded.set(set, fields);
  return fields;
}

/** Appliers first, then by second of the last change, then by name. */
function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    compareTimes(a, b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By second; an entry without a time is the oldest. */
export function compareTimes(a: Manager, b: Manager): number {
  return seconds(a) - seconds(b);
}

const seconds = ({ time }: Manager): number => (time === undefined ? 0 : Math.floor(Date.parse(time) / 1000) || 0);
