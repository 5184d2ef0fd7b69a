/** What a CustomResourceDefinition may say in its schema beside being structural: keywords, list types, rules. */
import { type FieldError, forbidden, invalid, notSupported, required } from "../field-error.ts";
import type { JsonSchema } from "./json-schema.ts";
import { checkListKeywords } from "./list-keyword-check.ts";
import { type CostContext, checkRules, childContext } from "./rule-check.ts";
import { ruleShapeErrors } from "./rule-shape.ts";
import { isJsonObject, type SchemaNode } from "./schema-node.ts";

const types = ["array", "boolean", "integer", "number", "object", "string"];
const metaFields: ReadonlySet<string> = new Set(["metadata", "kind", "apiVersion"]);

/** What holds at one place because of what is above it. */
export interface Surroundings {
  readonly root: boolean;
  /** Why defaults are forbidden, or undefined when they are not. */
  readonly noDefaults: string | undefined;
  readonly insideMeta: boolean;
  /** The closest place above whose items cannot be followed from old to new. */
  readonly uncorrelated: string | undefined;
  /** Undefined where rules are not looked at. */
  readonly cost: CostContext | undefined;
}

export interface SchemaErrors {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

const unsupported = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"] as const;

function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return !(isJsonObject(value) && Object.keys(value).length === 0);
}

function keywordErrors(schema: JsonSchema, path: string, around: Surroundings): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type && !types.includes(schema.type)) errors.push(notSupported(`${path}.type`, schema.type, types));
  if (schema.default !== undefined && schema.default !== null && around.noDefaults !== undefined)
    errors.push(forbidden(`${path}.default`, `must not be set ${around.noDefaults}`));
  for (const key of unsupported)
    if (isPresent(schema[key])) errors.push(forbidden(`${path}.${key}`, `${key} is not supported`));
  if (schema.type === "null")
    errors.push(forbidden(`${path}.type`, "type cannot be set to null, use nullable as an alternative"));
  if (Array.isArray(schema.items) && schema.items.length > 0)
    errors.push(forbidden(`${path}.items`, "items must be a schema object and not an array"));
  if (around.insideMeta && schema["x-kubernetes-embedded-resource"] === true)
    errors.push(forbidden(`${path}.x-kubernetes-embedded-resource`, "must not be used inside of resource meta"));
  if (schema.uniqueItems === true)
    errors.push(
      forbidden(
        `${path}.uniqueItems`,
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ),
    );
  return errors;
}

function additionalErrors(schema: JsonSchema, path: string): FieldError[] {
  const additional = schema.additionalProperties;
  const clashes =
    additional !== undefined &&
    additional !== null &&
    additional !== true &&
    Object.keys(schema.properties ?? {}).length > 0;
  return clashes
    ? [forbidden(`${path}.additionalProperties`, "additionalProperties and properties are mutual exclusive")]
    : [];
}

function preserveErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema["x-kubernetes-preserve-unknown-fields"] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined || mapType === null) return errors;
  if (schema.type !== "object") {
    const detail = "must be object if x-kubernetes-map-type is specified";
    errors.push(schema.type ? invalid(`${path}.type`, schema.type, detail) : required(`${path}.type`, detail));
  }
  if (mapType !== "atomic" && mapType !== "granular")
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  return errors;
}

class OpenApiCheck {
  /** Checks one place and what is below it. */
  check(node: SchemaNode, path: string, around: Surroundings): SchemaErrors {
    const schema = node.source;
    const out: SchemaErrors = { schema: keywordErrors(schema, path, around), rules: [] };
    out.schema.push(...additionalErrors(schema, path));
    this.checkChildren(node, path, around, out);
    out.schema.push(...preserveErrors(schema, path), ...checkListKeywords(schema, path));
    if (node.rules.length > 0) {
      out.schema.push(...ruleShapeErrors(node, path));
      // Errors of the schema make messages about rules misleading, so rules wait for a sound schema.
      if (out.schema.length === 0 && around.cost !== undefined)
        out.rules.push(...checkRules(node, path, around.cost, around.uncorrelated));
    }
    return out;
  }

  private into(out: SchemaErrors, node: SchemaNode, path: string, around: Surroundings): void {
    const found = this.check(node, path, around);
    out.schema.push(...found.schema);
    out.rules.push(...found.rules);
  }

  private checkChildren(node: SchemaNode, path: string, around: Surroundings, out: SchemaErrors): void {
    const below = { ...around, root: false, cost: around.cost && childContext(around.cost, node.source) };
    if (node.additional !== undefined && node.additional !== true) {
      const reason = around.insideMeta ? "inside additionalProperties applying to object metadata" : around.noDefaults;
      this.into(out, node.additional, `${path}.additionalProperties`, { ...below, noDefaults: reason });
    }
    for (const [name, property] of node.properties)
      this.into(out, property, `${path}.properties[${name}]`, propertySurroundings(node, name, around, below));
    const nested = { ...below, cost: undefined };
    if (node.not !== undefined) this.into(out, node.not, `${path}.not`, nested);
    for (const junctor of ["allOf", "oneOf", "anyOf"] as const)
      node[junctor].forEach((schema, i) => {
        this.into(out, schema, `${path}.${junctor}[${i}]`, nested);
      });
    if (node.items === undefined) return;
    const followed = node.listType === "map";
    this.into(out, node.items, `${path}.items`, {
      ...below,
      uncorrelated: around.uncorrelated ?? (followed ? undefined : path),
    });
  }
}

function propertySurroundings(node: SchemaNode, name: string, around: Surroundings, below: Surroundings): Surroundings {
  if (!(around.root || node.embedded) || !metaFields.has(name)) return below;
  return { ...below, insideMeta: true, noDefaults: around.root ? `in top-level ${name}` : around.noDefaults };
}

/** Checks a whole schema; `cost` undefined leaves rules alone. */
export function checkOpenApiSchema(root: SchemaNode, path: string, cost: CostContext | undefined): FieldError[] {
  const around: Surroundings = { root: true, noDefaults: undefined, insideMeta: false, uncorrelated: undefined, cost };
  const { schema, rules } = new OpenApiCheck().check(root, path, around);
  return [...schema, ...rules];
}
