/** The hosted built-in kinds outside the core group. */
import type { KubeObject } from "#kinds";
import { type FieldError, invalid, notSupported, required } from "../field-error.ts";
import { pathSegmentName, subdomainName } from "../rest/names.ts";
import type { Resource, Strategy, WriteContext } from "../rest/resource.ts";
import { equalJson } from "../schema/index.ts";
import { builtIn } from "./define.ts";
import { eventConversion } from "./event-conversion.ts";
import { fieldsOf } from "./strategy.ts";

const RBAC = "rbac.authorization.k8s.io";
const ADMISSION = "admissionregistration.k8s.io";

interface Binding {
  roleRef?: { apiGroup?: string; kind?: string; name?: string };
  subjects?: { kind?: string; apiGroup?: string; name?: string; namespace?: string }[];
}

function defaultBinding(object: KubeObject): void {
  const { roleRef, subjects } = fieldsOf<Binding>(object);
  if (roleRef) roleRef.apiGroup ||= RBAC;
  for (const subject of subjects ?? []) {
    if (subject.kind !== "ServiceAccount") subject.apiGroup ||= RBAC;
  }
}

function bindingErrors(object: KubeObject, old: KubeObject | undefined): FieldError[] {
  const { roleRef = {}, subjects = [] } = fieldsOf<Binding>(object);
  const errors: FieldError[] = [];
  if (roleRef.apiGroup !== RBAC) errors.push(notSupported("roleRef.apiGroup", roleRef.apiGroup ?? "", [RBAC]));
  const kinds = object.kind === "RoleBinding" ? ["Role", "ClusterRole"] : ["ClusterRole"];
  if (!kinds.includes(roleRef.kind ?? "")) errors.push(notSupported("roleRef.kind", roleRef.kind ?? "", kinds));
  if (!roleRef.name) errors.push(required("roleRef.name"));
  const isCluster = object.kind === "ClusterRoleBinding";
  for (const [i, subject] of subjects.entries()) errors.push(...subjectErrors(subject, `subjects[${i}]`, isCluster));
  const before = old && fieldsOf<Binding>(old).roleRef;
  if (before && !equalJson(before, roleRef)) errors.push(invalid("roleRef", roleRef, "cannot change roleRef"));
  return errors;
}

function subjectErrors(
  { kind = "", name, namespace }: NonNullable<Binding["subjects"]>[number],
  path: string,
  isCluster: boolean,
): FieldError[] {
  const errors: FieldError[] = name ? [] : [required(`${path}.name`)];
  if (!["ServiceAccount", "User", "Group"].includes(kind)) {
    errors.push(notSupported(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"]));
  }
  if (isCluster && kind === "ServiceAccount" && !namespace) errors.push(required(`${path}.namespace`));
  return errors;
}

interface Role {
  rules?: { verbs?: string[]; apiGroups?: string[]; resources?: string[]; nonResourceURLs?: string[] }[];
}

function roleErrors(object: KubeObject): FieldError[] {
  return (fieldsOf<Role>(object).rules ?? []).flatMap((rule, i) => {
    const errors: FieldError[] = rule.verbs?.length
      ? []
      : [required(`rules[${i}].verbs`, "verbs must contain at least one value")];
    if (rule.nonResourceURLs?.length) return errors;
    if (!rule.apiGroups?.length) {
      errors.push(required(`rules[${i}].apiGroups`, "resource rules must supply at least one api group"));
    }
    if (!rule.resources?.length) {
      errors.push(required(`rules[${i}].resources`, "resource rules must supply at least one resource"));
    }
    return errors;
  });
}

const role: Partial<Strategy> = { validateName: pathSegmentName, createsOnUpdate: true, validate: roleErrors };
const binding: Partial<Strategy> = {
  validateName: pathSegmentName,
  createsOnUpdate: true,
  applyDefaults: defaultBinding,
  validate: bindingErrors,
};

interface Webhook {
  failurePolicy?: string;
  matchPolicy?: string;
  timeoutSeconds?: number;
  namespaceSelector?: object;
  objectSelector?: object;
  reinvocationPolicy?: string;
  clientConfig?: { service?: { port?: number } };
  rules?: { scope?: string }[];
}

function defaultWebhooks(object: KubeObject): void {
  for (const webhook of fieldsOf<{ webhooks?: Webhook[] }>(object).webhooks ?? []) {
    webhook.failurePolicy ??= "Fail";
    webhook.matchPolicy ??= "Equivalent";
    webhook.namespaceSelector ??= {};
    webhook.objectSelector ??= {};
    webhook.timeoutSeconds ??= 10;
    if (object.kind === "MutatingWebhookConfiguration") webhook.reinvocationPolicy ??= "Never";
    if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
    for (const rule of webhook.rules ?? []) rule.scope ??= "*";
  }
}

/** Kinds without a status whose generation counts every change beside metadata. */
function countGeneration(object: KubeObject, old: KubeObject): void {
  const { metadata: _, ...now } = object;
  const { metadata: __, ...before } = old;
  if (!equalJson(now, before)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

const generation: Partial<Strategy> = {
  prepareForCreate: (object: KubeObject) => {
    object.metadata.generation = 1;
  },
  prepareForUpdate: (object: KubeObject, old: KubeObject, _: WriteContext) => countGeneration(object, old),
};

const webhookConfiguration: Partial<Strategy> = {
  ...generation,
  overwritesUnconditionally: false,
  applyDefaults: defaultWebhooks,
};

export const otherKinds: readonly Resource[] = [
  builtIn({
    group: "events.k8s.io",
    kind: "Event",
    plural: "events",
    shortNames: ["ev"],
    storage: "core/events",
    storedAs: "v1",
    conversion: eventConversion,
    strategy: { validateName: pathSegmentName, createsOnUpdate: true },
  }),
  builtIn({
    group: "coordination.k8s.io",
    kind: "Lease",
    plural: "leases",
    strategy: { createsOnUpdate: true, overwritesUnconditionally: false },
  }),
  builtIn({
    group: "discovery.k8s.io",
    kind: "EndpointSlice",
    plural: "endpointslices",
    strategy: { ...generation, validateName: subdomainName },
  }),
  builtIn({ group: RBAC, kind: "Role", plural: "roles", strategy: role }),
  builtIn({
    group: RBAC,
    kind: "RoleBinding",
    plural: "rolebindings",
    strategy: binding,
  }),
  builtIn({
    group: RBAC,
    kind: "ClusterRole",
    plural: "clusterroles",
    cluster: true,
    strategy: role,
  }),
  builtIn({
    group: RBAC,
    kind: "ClusterRoleBinding",
    plural: "clusterrolebindings",
    cluster: true,
    strategy: binding,
  }),
  builtIn({
    group: ADMISSION,
    kind: "MutatingWebhookConfiguration",
    plural: "mutatingwebhookconfigurations",
    categories: ["api-extensions"],
    cluster: true,
    strategy: webhookConfiguration,
  }),
  builtIn({
    group: ADMISSION,
    kind: "ValidatingWebhookConfiguration",
    plural: "validatingwebhookconfigurations",
    categories: ["api-extensions"],
    cluster: true,
    strategy: webhookConfiguration,
  }),
];
