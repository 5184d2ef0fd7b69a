/**
 * JSON patch (RFC 6902) as upstream's library applies it: negative indices count from the end, `replace` of a missing
 * key sets it, `copy` of one sets null, and the first segment of a path is ignored. All or nothing: the input stays as it was.
 */
import { cloneJson, getOwn, isJsonObject, type Json, type JsonObject, jsonEqual } from "../json.ts";
import type { JsonPatchOperation } from "./json-patch-operations.ts";
import { PatchError } from "./patch-error.ts";

/** What all `copy` steps of one patch may add, as upstream bounds it: the size of a request body. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

type Container = Json[] | JsonObject;

interface Patching {
  root: Json;
  copiedBytes: number;
}

type Step = (patching: Patching, operation: JsonPatchOperation) => void;

/** The object after every step, or `PatchError` and nothing changed. */
export function applyJsonPatch(object: JsonObject, operations: readonly JsonPatchOperation[]): JsonObject {
  const patching: Patching = { root: cloneJson(object), copiedBytes: 0 };
  for (const operation of operations) {
    const step = steps.get(operation.op);
    if (step === undefined) throw PatchError.doesNotApply(`Unexpected kind: ${operation.op}`);
    step(patching, operation);
  }
  if (!isJsonObject(patching.root)) throw PatchError.doesNotApply("the patched document is not an object");
  return patching.root;
}

const add: Step = (patching, { path, value }) => insert(locate(patching, path, "add"), cloneJson(value));

const remove: Step = (patching, { path }) => {
  take(locate(patching, path, "remove"));
};

const replace: Step = (patching, { path, value }) => {
  if (path === "") {
    if (typeof value !== "object" || value === null) throw refuse("replace", "value must be object or array");
    patching.root = cloneJson(value);
    return;
  }
  const { container, key, path: shown } = locate(patching, path, "replace");
  if (Array.isArray(container)) container[existingIndex(container, key, shown)] = cloneJson(value);
  else setKey(container, key, cloneJson(value));
};

const move: Step = (patching, { from, path }) => {
  const value = take(locate(patching, from, "move"));
  insert(locate(patching, path, "move"), value);
};

const copy: Step = (patching, { from, path }) => {
  const value = read(locate(patching, from, "copy"));
  const target = locate(patching, path, "copy");
  patching.copiedBytes += JSON.stringify(value).length;
  if (patching.copiedBytes > MAX_COPIED_BYTES) {
    throw refuse(
      "copy",
      `the accumulated size increase of copy is ${patching.copiedBytes}, exceeding the limit ${MAX_COPIED_BYTES}`,
    );
  }
  insert(target, cloneJson(value));
};

const test: Step = (patching, { path, value }) => {
  const found = path === "" ? patching.root : read(locate(patching, path, "test"));
  if (!jsonEqual(found, value)) throw refuse("test", `testing value ${path} failed`);
};

const steps: ReadonlyMap<string, Step> = new Map([
  ["add", add],
  ["remove", remove],
  ["replace", replace],
  ["move", move],
  ["copy", copy],
  ["test", test],
]);

interface Location {
  readonly container: Container;
  readonly key: string;
  readonly path: string;
}

function refuse(op: string, detail: string): PatchError {
  return PatchError.doesNotApply(`${op} operation does not apply: ${detail}`);
}

/** The container that holds the last segment of a path. */
function locate(patching: Patching, path: string | undefined, op: string): Location {
  if (path === undefined) throw refuse(op, "missing path");
  const segments = path.split("/").map(decodeSegment);
  const key = segments.pop() as string;
  if (segments.length === 0) throw refuse(op, `doc is missing path: "${path}"`);
  let container: Json = patching.root;
  for (const segment of segments.slice(1)) container = child(container, segment, { op, path });
  if (typeof container !== "object" || container === null) throw refuse(op, `doc is missing path: "${path}"`);
  return { container, key, path };
}

function child(container: Json, segment: string, at: { op: string; path: string }): Json {
  if (Array.isArray(container)) return container[existingIndex(container, segment, at.path)] as Json;
  const next = isJsonObject(container) ? getOwn(container, segment) : undefined;
  if (typeof next !== "object" || next === null) throw refuse(at.op, `doc is missing path: "${at.path}"`);
  return next;
}

const decodeSegment = (segment: string): string => segment.replace(/~[01]/g, (code) => (code === "~1" ? "/" : "~"));

function parseIndex(key: string, path: string): number {
  if (!/^[-+]?\d{1,15}$/.test(key))
    throw PatchError.doesNotApply(`value was not a proper array index: '${key}' in '${path}'`);
  return Number(key);
}

function resolveIndex(key: string, length: number, path: string): number {
  const index = parseIndex(key, path);
  const resolved = index < 0 ? index + length : index;
  if (resolved < 0 || resolved >= length)
    throw PatchError.doesNotApply(`Unable to access invalid index: ${index} in '${path}'`);
  return resolved;
}

const existingIndex = (list: readonly Json[], key: string, path: string): number =>
  resolveIndex(key, list.length, path);

function read({ container, key, path }: Location): Json {
  if (Array.isArray(container)) return container[existingIndex(container, key, path)] as Json;
  return getOwn(container, key) ?? null;
}

function take(location: Location): Json {
  const { container, key, path } = location;
  if (Array.isArray(container)) return container.splice(existingIndex(container, key, path), 1)[0] as Json;
  const value = getOwn(container, key);
  if (value === undefined) throw PatchError.doesNotApply(`Unable to remove nonexistent key: ${key} in '${path}'`);
  delete container[key];
  return value;
}

function insert({ container, key, path }: Location, value: Json): void {
  if (!Array.isArray(container)) setKey(container, key, value);
  else if (key === "-") container.push(value);
  else container.splice(resolveIndex(key, container.length + 1, path), 0, value);
}

function setKey(container: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") throw PatchError.doesNotApply('the key "__proto__" is not supported');
  container[key] = value;
}
