/** The front door of the embedded API server. */
export { type FieldError, formatFieldError, invalidStatus, toStatusCauses } from "./field-error.ts";
export type { UserInfo } from "./http/message.ts";
export { type CompiledSchema, compileSchema, type JsonSchema } from "./schema/index.ts";
export { type ApiServer, type ApiServerOptions, startApiServer } from "./start.ts";
export { UnusableData } from "./store/index.ts";
