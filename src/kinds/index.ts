export {
  type Condition,
  type ConditionStatement,
  findCondition,
  isConditionTrue,
  wireMicroTime,
  wireTime,
  withCondition,
} from "./condition.ts";
export { apiVersionOf, type Kind, type ObjectOf, type Scope } from "./kind.ts";
export type { KubeObject, ListMeta, ManagedFieldsEntry, ObjectKey, ObjectMeta, OwnerReference } from "./object.ts";
