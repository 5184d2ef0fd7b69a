/** Whether a webhook wants to hear about a write. */
import type { KubeObject } from "#kinds";
import type { Environment } from "../rest/call.ts";
import type { Registry } from "../rest/registry.ts";
import { compileObjectSelector, labelsMatch, type ObjectLabelSelector } from "../selector/index.ts";
import type { Attributes } from "./admission.ts";
import type { Webhook, WebhookRule } from "./webhook-configuration.ts";

const OWN_GROUP = "admissionregistration.k8s.io";

export function wants(webhook: Webhook, attributes: Attributes, { store, registry }: Environment): boolean {
  const { resource, info } = attributes.call;
  // Upstream never asks webhooks about webhook configurations: nobody could repair a broken one.
  if (resource.group === OWN_GROUP) return false;
  if (!(webhook.rules ?? []).some((rule) => ruleMatches(rule, webhook, attributes, registry))) return false;
  const labels = (object: KubeObject | undefined): Record<string, string> => object?.metadata.labels ?? {};
  const namespace = resource.storage === "core/namespaces" ? info.name : info.namespace;
  const ofNamespace = labels(store.get(`core/namespaces/${namespace}`)?.object);
  if (namespace !== "" && !selects(webhook.namespaceSelector, ofNamespace)) return false;
  const { object, old } = attributes;
  return [object, old].some((o) => o !== undefined && selects(webhook.objectSelector, labels(o)));
}

function selects(selector: ObjectLabelSelector | undefined, labels: Record<string, string>): boolean {
  if (!selector || Object.keys(selector).length === 0) return true;
  const compiled = compileObjectSelector(selector);
  return compiled !== undefined && labelsMatch(compiled, labels);
}

function ruleMatches(
  rule: WebhookRule,
  webhook: Webhook,
  { call, operation }: Attributes,
  registry: Registry,
): boolean {
  const { resource, info } = call;
  const scope = rule.scope ?? "*";
  return (
    has(rule.operations, operation) &&
    (scope === "*" || scope === (resource.scope === "Cluster" ? "Cluster" : "Namespaced")) &&
    has(rule.apiGroups, resource.group) &&
    versionMatches(rule, webhook, call, registry) &&
    resourceMatches(rule.resources ?? [], resource.plural, info.subresource)
  );
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  (list ?? []).some((item) => item === "*" || item === value);

/** Equivalent: a rule about one version of a resource is about all of them. */
function versionMatches(
  rule: WebhookRule,
  webhook: Webhook,
  { resource }: Attributes["call"],
  registry: Registry,
): boolean {
  if (has(rule.apiVersions, resource.version)) return true;
  if (webhook.matchPolicy === "Exact") return false;
  return registry
    .all()
    .some((r) => r.storage === resource.storage && r.group === resource.group && has(rule.apiVersions, r.version));
}

function resourceMatches(rules: readonly string[], plural: string, subresource: string): boolean {
  return rules.some((rule) => {
    const [resource = "", sub = ""] = rule.split("/");
    return (
      (resource === "*" || resource === plural) &&
      (sub === "*" || sub === subresource || (rule === "*" && subresource === ""))
    );
  });
}
