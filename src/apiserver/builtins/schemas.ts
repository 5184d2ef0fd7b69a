/** The shapes of the hosted built-in kinds, as OpenAPI: names, types and defaults, without prose. */
import definitions from "./schemas.json" with { type: "json" };

export interface OpenApiSchema {
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

export const schemas: Readonly<Record<string, OpenApiSchema>> = definitions as Record<string, OpenApiSchema>;
