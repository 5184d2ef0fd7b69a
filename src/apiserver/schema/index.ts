/** The front door of schemas: what the rest of the API server may use. */
export { type CompiledSchema, compileSchema } from "./compile.ts";
export { equalJson } from "./correlation.ts";
export type { CustomResourceDefinition } from "./crd.ts";
export { checkCustomResourceDefinition, definitionDecodeError } from "./crd-check.ts";
export type { JsonSchema } from "./json-schema.ts";
