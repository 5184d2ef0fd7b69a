/** Reads a YAML request body as upstream does: the first document, YAML 1.1 scalars, JSON underneath. */
import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  type ParsedNode,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from "yaml";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { type Decoded, DecodeError } from "./decode-error.ts";
import { jsonTypeName } from "./decode-json.ts";
import { goQuote } from "./go-quote.ts";
import { scanJson } from "./json-scanner.ts";
import { yamlScalars } from "./yaml-scalars.ts";

const MAX_DEPTH = 1_000;
const LOOKS_LIKE_JSON = /^\s*\{/;

/** Decodes the first document of a YAML (or JSON) text; repeated keys are strict errors. */
export function decodeYaml(text: string): Decoded<Json> {
  return (LOOKS_LIKE_JSON.test(text) ? decodeAsJson(text) : undefined) ?? decodeAsYaml(text);
}

/** Decodes the body of a server-side apply; refusals and strict errors are whole sentences of upstream's. */
export function decodeApplyConfiguration(text: string): Decoded<JsonObject> {
  try {
    const { value, strictErrors } = decodeYaml(text);
    if (value !== null && !isJsonObject(value)) throw new NotAnObject(value);
    return {
      value: value ?? {},
      strictErrors: strictErrors.map((error) => `error strict decoding YAML: error converting YAML to JSON: ${error}`),
    };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const step =
      error instanceof NotAnObject ? "error unmarshaling JSON: while decoding JSON" : "error converting YAML to JSON";
    throw new DecodeError(`error decoding YAML: ${step}: ${error.message}`, { cause: error });
  }
}

class NotAnObject extends DecodeError {
  constructor(value: Json) {
    super(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`);
  }
}

/** kubectl sends JSON under the YAML media type; JSON that is not quite JSON is left to the YAML reader. */
function decodeAsJson(text: string): Decoded<Json> | undefined {
  try {
    const duplicates = scanJson(text);
    const value = JSON.parse(text) as Json;
    if (duplicates.length > 0) return undefined;
    return { value, strictErrors: [] };
  } catch {
    return undefined;
  }
}

function decodeAsYaml(text: string): Decoded<Json> {
  const lines = new LineCounter();
  try {
    const [document] = parseAllDocuments(text, {
      schema: "failsafe",
      customTags: (tags) => [...tags, ...yamlScalars],
      merge: true,
      uniqueKeys: false,
      lineCounter: lines,
      logLevel: "silent",
    }) as Document.Parsed<ParsedNode>[];
    if (document === undefined) return { value: null, strictErrors: [] };
    refuseErrors(document);
    const duplicates = findDuplicates(document, lines);
    const strictErrors = duplicates.length === 0 ? [] : [["yaml: unmarshal errors:", ...duplicates].join("\n  ")];
    return { value: toJson(document.toJS(), 0), strictErrors };
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    throw new DecodeError(
      `yaml: ${error instanceof RangeError ? "exceeded max depth" : String((error as Error).message)}`,
    );
  }
}

function refuseErrors(document: Document.Parsed): void {
  const [error] = document.errors;
  if (error === undefined) return;
  const line = error.linePos?.[0].line ?? 1;
  throw new DecodeError(`yaml: line ${line}: ${error.message.replace(/ at line \d[\s\S]*$/, "")}`);
}

function findDuplicates(document: Document.Parsed, lines: LineCounter): string[] {
  const found: string[] = [];
  visit(document, { Map: (_, map) => void found.push(...duplicatesOf(map, lines)) });
  return found;
}

function duplicatesOf(map: YAMLMap, lines: LineCounter): string[] {
  const seen = new Set<unknown>();
  const found: string[] = [];
  if (!isMap(map)) return found;
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) {
      const shown = typeof key.value === "string" ? goQuote(key.value) : String(key.value);
      found.push(`line ${lines.linePos(key.range?.[0] ?? 0).line}: key ${shown} already set in map`);
    }
    seen.add(key.value);
  }
  return found;
}

/** Copies, so that nothing is shared between an anchor and its aliases, and refuses what JSON cannot say. */
function toJson(value: unknown, depth: number): Json {
  if (depth > MAX_DEPTH) throw new DecodeError("exceeded max depth");
  if (typeof value === "number" && !Number.isFinite(value)) throw new DecodeError(`json: unsupported value: ${value}`);
  if (typeof value !== "object" || value === null) return value as Json;
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === "__proto__") throw new DecodeError('the key "__proto__" is not supported');
    copy[key] = toJson(item, depth + 1);
  }
  return copy;
}
