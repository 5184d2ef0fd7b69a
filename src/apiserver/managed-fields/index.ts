export { ApplyError, applyConfiguration } from "./apply-configuration.ts";

export { FieldSet } from "./field-set.ts";

export { type ReplicasPaths, scaleManagedFields, unscaledManagedFields } from "./scale-fields.ts";
export { modelFromSchema } from "./schema-model.ts";
export { keepUnchangedTimestamps } from "./timestamps.ts";
export { trackUpdate } from "./track-update.ts";
export { deduced, type TypeModel } from "./type-model.ts";

export type { ModelOf } from "./updater.ts";
