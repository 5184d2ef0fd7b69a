/** Merge patch, JSON patch and field paths, as far as the in-memory API needs them. Never modifies its input. */
import type { KubeObject } from "#kinds";
import type { JsonPatchOperation } from "../client/client.ts";

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** RFC 7386: null removes, objects merge, everything else replaces. */
export function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return structuredClone(patch);
  const merged: Fields = isFields(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatched(merged[name], value);
  }
  return merged;
}

/** The merge patch that leads from one state to the other; undefined when they are the same. */
export function mergeDifference(before: unknown, after: unknown): unknown {
  if (same(before, after)) return undefined;
  if (!isFields(before) || !isFields(after)) return after;
  const patch: Fields = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const change = after[name] === undefined ? null : mergeDifference(before[name], after[name]);
    if (change !== undefined && !(change === null && before[name] === undefined)) patch[name] = change;
  }
  return patch;
}

/** RFC 6902; throws with the failing operation when a path is missing or a test fails. */
export function jsonPatched<T>(target: T, operations: readonly JsonPatchOperation[]): T {
  const root = { document: structuredClone(target) as unknown };
  for (const operation of operations) perform(root, operation);
  return root.document as T;
}

function perform(root: unknown, operation: JsonPatchOperation): void {
  const { op, path } = operation;
  if ("from" in operation) {
    const value = structuredClone(read(root, operation.from));
    if (op === "move") write(root, operation.from, "remove");
    write(root, path, "add", value);
  } else if (!("value" in operation)) write(root, path, "remove");
  else if (operation.op !== "test") write(root, path, operation.op, structuredClone(operation.value));
  else if (!same(read(root, path), operation.value)) throw new Error(`testing value ${path} failed`);
}

/** Structural equality of JSON values, whatever the order of fields; a field that is undefined counts as absent. */
export function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (!isFields(a) || !isFields(b)) return Object.is(a, b);
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => same(a[name], b[name]));
}

/** The field at a dotted path, as a field selector names it. */
export function fieldAt(object: KubeObject, path: string): unknown {
  return path.split(".").reduce<unknown>((at, name) => (isFields(at) ? at[name] : undefined), object);
}

function segments(path: string): string[] {
  return ["document", ...path.split("/").slice(1)].map((s) => s.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function read(root: unknown, path: string): unknown {
  return segments(path).reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], root);
}

function write(root: unknown, path: string, op: "add" | "replace" | "remove", value?: unknown): void {
  const parent = read(root, path.slice(0, path.lastIndexOf("/"))) as Fields | unknown[] | undefined;
  const name = segments(path).at(-1) ?? "";
  const holder = path === "" ? (root as Fields) : parent;
  if (typeof holder !== "object" || holder === null) throw new Error(`${op} ${path}: no such path`);
  if (op !== "add" && !(name in holder)) throw new Error(`${op} ${path}: no such path`);
  if (!Array.isArray(holder)) {
    if (op === "remove") delete holder[name];
    else holder[name] = value;
    return;
  }
  const at = name === "-" ? holder.length : Number(name);
  holder.splice(at, op === "add" ? 0 : 1, ...(op === "remove" ? [] : [value]));
}
