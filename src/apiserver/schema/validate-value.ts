/** Validates a value against a compiled schema: types, formats, enums, bounds, patterns, alternatives. Knows nothing of CEL. */
import type { Correlation } from "./correlation.ts";
import { Findings } from "./findings.ts";
import { hasKey, isJsonObject, type JsonObject, type SchemaNode } from "./schema-node.ts";
import { validateNumber } from "./validate-number.ts";

type Old = Correlation | undefined;

interface Kind {
  readonly type: string;
  readonly format: string;
}

const kinds = {
  boolean: { type: "boolean", format: "" },
  string: { type: "string", format: "" },
  integer: { type: "integer", format: "int64" },
  number: { type: "number", format: "float64" },
  array: { type: "array", format: "" },
  object: { type: "object", format: "" },
} as const;

/** Integers beyond 64 bits are floats to upstream. */
const isInt64 = (value: number): boolean => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;

function kindOf(value: unknown): Kind {
  if (typeof value === "string") return kinds.string;
  if (typeof value === "boolean") return kinds.boolean;
  if (typeof value === "number") return isInt64(value) ? kinds.integer : kinds.number;
  return Array.isArray(value) ? kinds.array : kinds.object;
}

function accepts(types: readonly string[], kind: Kind, value: unknown): boolean {
  if (types.includes(kind.type)) return true;
  if (kind.type === "integer") return types.includes("number");
  return kind.type === "number" && Number.isSafeInteger(value) && types.includes("integer");
}

function checkType(value: unknown, node: SchemaNode, path: string, out: Findings): void {
  const kind = kindOf(value);
  const accepted = accepts(node.types, kind, value);
  if (node.format !== "") {
    const textual = kind.type === "string" || kind.type === "array";
    if (!textual && !accepted && kind.format !== node.format) {
      out.typeInvalid(path, node.format, kind.format);
      return;
    }
    // A format settles strings and lists by itself, whatever the type says.
    if (textual && !node.types.includes("number") && !node.types.includes("integer")) {
      out.matches++;
      return;
    }
  }
  if (accepted) out.matches++;
  else out.typeInvalid(path, node.types.join(","), kind.type);
}

const codePoints = (text: string): number => {
  let count = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) count--;
  return count;
};

function checkString(text: string, node: SchemaNode, path: string, out: Findings): void {
  const { maxLength, minLength } = node.source;
  if (typeof maxLength === "number" && text.length > maxLength && codePoints(text) > maxLength) {
    out.tooLong(path, maxLength);
    return;
  }
  if (typeof minLength === "number" && codePoints(text) < minLength) {
    out.invalid(path, text, `should be at least ${minLength} chars long`);
    return;
  }
  const pattern = node.pattern;
  if (pattern === undefined || pattern.test(text)) return;
  const broken = pattern.error === undefined ? "" : `, but pattern is invalid: ${pattern.error}`;
  out.invalid(path, text, `should match '${pattern.source}${broken}'`);
}

function checkFormat(text: string, node: SchemaNode, path: string, out: Findings): void {
  if (node.formatCheck === undefined) return;
  if (!node.formatCheck(text)) out.typeInvalid(path, node.format, text);
  out.matches++;
}

function equalsEnumValue(value: unknown, allowed: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === allowed && value !== null;
  return typeof allowed === "object" && allowed !== null && JSON.stringify(value) === JSON.stringify(allowed);
}

function checkEnum(value: unknown, node: SchemaNode, path: string, out: Findings): void {
  if (node.enum === undefined || node.enum.some((allowed) => equalsEnumValue(value, allowed))) return;
  out.notSupported(path, value, node.enum);
}

function best(current: Findings | undefined, candidate: Findings): Findings {
  return current === undefined || candidate.matches > current.matches ? candidate : current;
}

interface Place {
  readonly path: string;
  readonly old: Old;
}

function tryNode(value: unknown, node: SchemaNode, place: Place): Findings {
  const findings = new Findings();
  validateNode(value, node, place, findings);
  return findings;
}

function checkAnyOf(value: unknown, node: SchemaNode, place: Place, out: Findings): void {
  let closest: Findings | undefined;
  for (const option of node.anyOf) {
    const result = tryNode(value, option, place);
    if (result.valid) {
      out.merge(result);
      return;
    }
    closest = best(closest, result);
  }
  out.general(`"${place.path}" must validate at least one schema (anyOf)`);
  if (closest !== undefined) out.merge(closest);
}

function checkOneOf(value: unknown, node: SchemaNode, place: Place, out: Findings): void {
  let closest: Findings | undefined;
  const valid: Findings[] = [];
  for (const option of node.oneOf) {
    const result = tryNode(value, option, place);
    if (result.valid) valid.push(result);
    else if (valid.length === 0) closest = best(closest, result);
  }
  const [only] = valid;
  if (valid.length === 1 && only !== undefined) {
    out.merge(only);
    return;
  }
  const count = valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`;
  out.general(`"${place.path}" must validate one and only one schema (oneOf). ${count}`);
  if (valid.length === 0 && closest !== undefined) out.merge(closest);
}

function checkAllOf(value: unknown, node: SchemaNode, place: Place, out: Findings): void {
  let passed = 0;
  for (const part of node.allOf) {
    const result = tryNode(value, part, place);
    if (result.valid) passed++;
    out.merge(result);
  }
  if (passed === node.allOf.length) return;
  out.general(`"${place.path}" must validate all the schemas (allOf)${passed === 0 ? ". None validated" : ""}`);
}

function checkJunctors(value: unknown, node: SchemaNode, place: Place, out: Findings): void {
  if (node.anyOf.length > 0) checkAnyOf(value, node, place, out);
  if (node.oneOf.length > 0) checkOneOf(value, node, place, out);
  if (node.allOf.length > 0) checkAllOf(value, node, place, out);
  if (node.not !== undefined && tryNode(value, node.not, place).valid)
    out.general(`"${place.path}" must not validate the schema (not)`);
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function checkArray(list: readonly unknown[], node: SchemaNode, { path, old }: Place, out: Findings): void {
  const items = node.items;
  if (items !== undefined)
    for (let i = 0; i < list.length; i++)
      validateChild(list[i], items, { path: `${path}[${i}]`, old: old?.index(i) }, out);
  const { minItems, maxItems, uniqueItems } = node.source;
  if (typeof minItems === "number" && list.length < minItems)
    out.invalid(path, list.length, `should have at least ${minItems} items`);
  if (typeof maxItems === "number" && list.length > maxItems) out.tooMany(path, list.length, maxItems);
  if (uniqueItems === true && list.some((a, i) => list.findIndex((b) => sameJson(a, b)) < i))
    out.invalid(path, undefined, "shouldn't contain duplicates");
  out.matches++;
}

function checkProperties(object: JsonObject, node: SchemaNode, { path, old }: Place, out: Findings): void {
  for (const key in object) {
    let child = node.properties.get(key);
    if (child === undefined && node.additional !== undefined && node.additional !== true) child = node.additional;
    if (child === undefined) continue;
    const root = path === "" && node.properties.has(key);
    const hidden = path === "" && (key === "kind" || key === "apiVersion");
    validateChild(
      object[key],
      child,
      { path: root ? key : `${path}.${key}`, old: hidden ? undefined : old?.key(key) },
      out,
    );
  }
}

function checkObject(object: JsonObject, node: SchemaNode, place: Place, out: Findings): void {
  const { minProperties, maxProperties } = node.source;
  if (minProperties !== undefined || maxProperties !== undefined) {
    const size = Object.keys(object).length;
    if (typeof minProperties === "number" && size < minProperties)
      out.invalid(place.path, size, `should have at least ${minProperties} properties`);
    if (typeof maxProperties === "number" && size > maxProperties) out.tooMany(place.path, size, maxProperties);
  }
  if (node.properties.size > 0 || node.additional !== undefined) checkProperties(object, node, place, out);
  for (const name of node.required) if (!hasKey(object, name)) out.required(`${place.path}.${name}`);
}

/** A child that is correlated with an equal old value may keep its errors: they were there before. */
function validateChild(value: unknown, node: SchemaNode, place: Place, out: Findings): void {
  if (place.old === undefined) {
    validateNode(value, node, place, out);
    return;
  }
  const result = tryNode(value, node, place);
  if (result.valid || !place.old.unchanged) out.merge(result);
}

function checkNull(node: SchemaNode, path: string, out: Findings): void {
  if (node.types.length > 0 && !node.nullable) out.typeInvalid(path, node.types.join(","), "null");
  else out.matches++;
  checkEnum(null, node, path, out);
}

function checkByKind(value: unknown, node: SchemaNode, place: Place, out: Findings): void {
  if (typeof value === "string") {
    checkString(value, node, place.path, out);
    checkFormat(value, node, place.path, out);
    out.matches++;
  } else if (typeof value === "number") {
    validateNumber(value, node, place.path, out);
    out.matches += 2;
  } else if (Array.isArray(value)) {
    checkArray(value, node, place, out);
    out.matches++;
  }
}

/** Validates one value and what is below it, adding to `out`. */
function validateNode(value: unknown, node: SchemaNode, place: Place, out: Findings): void {
  if (value === null || value === undefined) {
    checkNull(node, place.path, out);
    return;
  }
  if (node.types.length > 0 || node.format !== "") {
    checkType(value, node, place.path, out);
    out.matches++;
  }
  if (node.hasJunctors) checkJunctors(value, node, place, out);
  out.matches += 2;
  checkByKind(value, node, place, out);
  checkEnum(value, node, place.path, out);
  out.matches++;
  if (isJsonObject(value)) {
    checkObject(value, node, place, out);
    out.matches++;
  }
  out.matches++;
}

/** Validates a value at a path; `old` makes errors of unchanged parts pass (ratcheting). */
export function validateValue(value: unknown, node: SchemaNode, path: string, old?: Correlation): Findings {
  const findings = new Findings();
  validateChild(value, node, { path, old }, findings);
  return findings;
}
