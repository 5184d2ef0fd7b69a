/** Which requests an API server shows to a webhook before it stores them. */
import type { Kind } from "../kind.ts";
import type { LabelSelector } from "../label-selector.ts";
import type { KubeObject } from "../object.ts";

export interface WebhookClientConfig {
  url?: string;
  service?: { namespace: string; name: string; path?: string; port?: number };
  /** Base64 of a PEM bundle. */
  caBundle?: string;
}

export interface AdmissionRule {
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  operations?: string[];
  scope?: string;
}

export interface Webhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: AdmissionRule[];
  failurePolicy?: string;
  matchPolicy?: string;
  sideEffects: string;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  matchConditions?: { name: string; expression: string }[];
}

export interface ValidatingWebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}

export interface MutatingWebhookConfiguration extends KubeObject {
  webhooks?: (Webhook & { reinvocationPolicy?: string })[];
}

const api = { group: "admissionregistration.k8s.io", version: "v1", scope: "Cluster" } as const;

export const ValidatingWebhookConfiguration: Kind<ValidatingWebhookConfiguration> = {
  ...api,
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
};

export const MutatingWebhookConfiguration: Kind<MutatingWebhookConfiguration> = {
  ...api,
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
};
