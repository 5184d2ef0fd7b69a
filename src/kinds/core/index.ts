export { ConfigMap } from "./config-map.ts";
export { CoreEvent } from "./core-event.ts";
export {
  type CustomResourceColumn,
  CustomResourceDefinition,
  type CustomResourceNames,
  type CustomResourceVersion,
} from "./custom-resource-definition.ts";
export { EndpointSlice, type SliceEndpoint } from "./endpoint-slice.ts";
export { Event } from "./event.ts";
export { Lease } from "./lease.ts";
export { Namespace } from "./namespace.ts";
export { Node, type NodeCondition, type NodeTaint } from "./node.ts";
export type { CoreObjectReference } from "./object-reference.ts";
export {
  ClusterRole,
  ClusterRoleBinding,
  type PolicyRule,
  Role,
  RoleBinding,
  type RoleRef,
  type Subject,
} from "./rbac.ts";
export { Secret } from "./secret.ts";
export { Service, type ServicePort } from "./service.ts";
export { ServiceAccount } from "./service-account.ts";
export {
  type AdmissionRule,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  type Webhook,
  type WebhookClientConfig,
} from "./webhook-configuration.ts";
