/** Role-based access control over the stored roles and bindings. Decides; changes nothing. */
import type { KubeObject } from "#kinds";
import type { UserInfo } from "../http/message.ts";
import type { Store } from "../store/index.ts";

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface ResourceQuestion {
  readonly isResource: true;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** One question: may this user do this. */
export type AccessQuestion =
  | ResourceQuestion
  | { readonly isResource: false; readonly verb: string; readonly path: string };

export interface AccessAnswer {
  readonly allowed: boolean;
  /** Why it is allowed, in upstream's words. */
  readonly reason: string;
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

interface Binding extends KubeObject {
  readonly subjects?: readonly Subject[];
  readonly roleRef: { readonly kind: string; readonly name: string };
}

const GROUP = "rbac.authorization.k8s.io";
const MASTERS = "system:masters";

/** A rule that applies to a user, with the binding that grants it. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  readonly via: string;
}

export class RbacAuthorizer {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  decide(user: UserInfo, question: AccessQuestion): AccessAnswer {
    if (user.groups.includes(MASTERS)) return { allowed: true, reason: "" };
    const namespace = question.isResource ? question.namespace : "";
    for (const { rule, via } of this.rulesFor(user, namespace)) {
      if (allows(rule, question)) return { allowed: true, reason: via };
    }
    return { allowed: false, reason: "" };
  }

  /** Every rule a user has in a namespace, cluster-wide ones first. */
  *rulesFor(user: UserInfo, namespace: string): Generator<GrantedRule> {
    yield* this.#granted(user, `${GROUP}/clusterrolebindings/`, "");
    if (namespace !== "") yield* this.#granted(user, `${GROUP}/rolebindings/${namespace}/`, namespace);
  }

  *#granted(user: UserInfo, prefix: string, namespace: string): Generator<GrantedRule> {
    const resource = prefix.split("/", 2).join("/");
    for (const { object } of this.#store.range(resource, prefix)) {
      const binding = object as Binding;
      const subject = (binding.subjects ?? []).find((s) => isSubject(user, s, namespace));
      if (!subject) continue;
      const via = explain(binding, subject, namespace);
      for (const rule of this.#rulesOf(binding, namespace)) yield { rule, via };
    }
  }

  #rulesOf({ roleRef }: Binding, namespace: string): readonly PolicyRule[] {
    const isCluster = roleRef.kind === "ClusterRole";
    const key = isCluster ? `${GROUP}/clusterroles/${roleRef.name}` : `${GROUP}/roles/${namespace}/${roleRef.name}`;
    return (this.#store.get(key)?.object as { rules?: PolicyRule[] } | undefined)?.rules ?? [];
  }
}

function isSubject(user: UserInfo, { kind, name, namespace }: Subject, bindingNamespace: string): boolean {
  if (kind === "User") return user.username === name;
  if (kind === "Group") return user.groups.includes(name);
  return user.username === `system:serviceaccount:${namespace ?? bindingNamespace}:${name}`;
}

function explain(binding: Binding, { kind, name, namespace: at }: Subject, namespace: string): string {
  const who = kind === "ServiceAccount" ? `ServiceAccount "${name}/${at}"` : `${kind} "${name}"`;
  const role = `${binding.roleRef.kind} "${binding.roleRef.name}"`;
  if (namespace === "") return `RBAC: allowed by ClusterRoleBinding "${binding.metadata.name}" of ${role} to ${who}`;
  return `RBAC: allowed by RoleBinding "${binding.metadata.name}/${namespace}" of ${role} to ${who}`;
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes("*") || list.includes(value));

export function allows(rule: PolicyRule, question: AccessQuestion): boolean {
  if (!has(rule.verbs, question.verb)) return false;
  if (!question.isResource) return (rule.nonResourceURLs ?? []).some((url) => matchesPath(url, question.path));
  return (
    has(rule.apiGroups, question.group) &&
    matchesResource(rule.resources ?? [], question) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(question.name))
  );
}

function matchesResource(rules: readonly string[], { resource, subresource }: ResourceQuestion): boolean {
  const combined = subresource ? `${resource}/${subresource}` : resource;
  return rules.some((r) => r === "*" || r === combined || (subresource !== "" && r === `*/${subresource}`));
}

function matchesPath(url: string, path: string): boolean {
  return url === "*" || url === path || (url.endsWith("*") && path.startsWith(url.slice(0, -1)));
}
