export {
  type Condition,
  type ConditionStatement,
  findCondition,
  isConditionTrue,
  wireMicroTime,
  wireTime,
  withCondition,
} from "./condition.ts";
export * from "./core/index.ts";
export { crdOf, rootSchema } from "./crd.ts";
export { ageColumn, type Column, column, type DefinedKind, type KindDefinition, kind } from "./define-kind.ts";
export { formatDuration, formatDurationNs, parseDuration, parseDurationNs } from "./duration.ts";
export { type Field, fieldsOf } from "./fields.ts";
export { type IntOrString, resolveIntOrPercent } from "./int-or-string.ts";
export type { Intent } from "./intent.ts";
export { apiVersionOf, type Kind, type ObjectOf, type Scope } from "./kind.ts";
export {
  InvalidSelector,
  type LabelSelector,
  type LabelSelectorRequirement,
  matchesRequirements,
  matchesSelector,
  type Requirement,
  requirementsOf,
} from "./label-selector.ts";
export type { KubeObject, ListMeta, ManagedFieldsEntry, ObjectKey, ObjectMeta, OwnerReference } from "./object.ts";
export {
  addQuantities,
  bytesToQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityToNumber,
} from "./quantity.ts";
export { Redacted, redacted } from "./redacted.ts";
export type { Open, Rule, Schema, SchemaNode } from "./schema.ts";
export { formatRequirements, formatSelector, parseSelector } from "./selector-text.ts";
export type { LocalObjectReference } from "./shapes.ts";
export * as Type from "./type.ts";
