/** The published OpenAPI schemas of the hosted built-in kinds: what they are decoded, described and documented by. */
import definitions from "./schemas.json" with { type: "json" };

export interface OpenApiSchema {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly items?: OpenApiSchema;
  readonly required?: readonly string[];
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly default?: unknown;
  readonly $ref?: string;
}

const PREFIX = "#/components/schemas/";

export const schemas: Readonly<Record<string, OpenApiSchema>> = definitions as Record<string, OpenApiSchema>;

/** The name of the definition a schema refers to, alone or inside `allOf`. */
export function refOf(schema: OpenApiSchema): string | undefined {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref?.slice(PREFIX.length);
}

/** The schema itself, or the definition it refers to. */
export function resolve(schema: OpenApiSchema): OpenApiSchema {
  const ref = refOf(schema);
  return ref === undefined ? schema : (schemas[ref] ?? {});
}

/** What the schema of a definition says about the field at a dotted path. */
export function describeField(definition: string, path: string): string {
  let schema: OpenApiSchema = schemas[definition] ?? {};
  for (const field of path.split(".")) schema = resolve(schema).properties?.[field] ?? {};
  return schema.description ?? "";
}
