/** The front door of the embedded API server. */
export { type FieldError, formatFieldError, invalidStatus, toStatusCauses } from "./field-error.ts";
export { type CompiledSchema, compileSchema, type JsonSchema } from "./schema/index.ts";
