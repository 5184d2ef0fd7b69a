/** The front door of schemas: what the rest of the API server may use. */
export { type CompiledSchema, compileSchema } from "./compile.ts";
export { equalJson } from "./correlation.ts";
export type { CrdColumn, CrdNames, CrdVersion, CustomResourceDefinition } from "./crd.ts";
export { checkCustomResourceDefinition } from "./crd-check.ts";
export type { JsonSchema, ValidationRule } from "./json-schema.ts";
export type { JsonObject, SchemaNode } from "./schema-node.ts";
export { validateStructural } from "./structural.ts";
