/** The parts of webhook configurations that are read, and the order in which webhooks are called. */
import type { KubeObject } from "#kinds";
import type { ObjectLabelSelector } from "../selector/index.ts";
import type { Store } from "../store/index.ts";

export interface WebhookRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
}

export interface Webhook {
  readonly name: string;
  readonly clientConfig: {
    readonly url?: string;
    readonly caBundle?: string;
    readonly service?: {
      readonly namespace: string;
      readonly name: string;
      readonly path?: string;
      readonly port?: number;
    };
  };
  readonly rules?: readonly WebhookRule[];
  readonly failurePolicy?: "Fail" | "Ignore";
  readonly matchPolicy?: "Exact" | "Equivalent";
  readonly namespaceSelector?: ObjectLabelSelector;
  readonly objectSelector?: ObjectLabelSelector;
  readonly timeoutSeconds?: number;
  readonly sideEffects?: string;
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
}

interface Configuration extends KubeObject {
  readonly webhooks?: readonly Webhook[] | null;
}

const GROUP = "admissionregistration.k8s.io";

export type WebhookType = "mutating" | "validating";

/** All webhooks of a type, ordered by the name of their configuration. */
export function webhooksOf(store: Store, type: WebhookType): Webhook[] {
  const storage = `${GROUP}/${type}webhookconfigurations`;
  return [...store.range(storage, `${storage}/`)].flatMap(({ object }) => (object as Configuration).webhooks ?? []);
}
