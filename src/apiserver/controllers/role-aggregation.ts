/** Fills cluster roles that collect the rules of others, whenever one of those changes. */
import type { KubeObject } from "#kinds";
import type { Environment } from "../rest/call.ts";
import { modify } from "../rest/modify.ts";
import { equalJson } from "../schema/index.ts";
import type { PolicyRule } from "../security/rbac.ts";
import { compileObjectSelector, labelsMatch, type ObjectLabelSelector } from "../selector/index.ts";
import type { Background } from "./background.ts";
import { KeyQueue } from "./key-queue.ts";

const CLUSTER_ROLES = "rbac.authorization.k8s.io/clusterroles";

interface ClusterRole extends KubeObject {
  rules?: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: ObjectLabelSelector[] };
}

export function startRoleAggregation({ store }: Environment, background: Background): () => void {
  const roles = (): ClusterRole[] =>
    [...store.range(CLUSTER_ROLES, `${CLUSTER_ROLES}/`)].map((entry) => entry.object as ClusterRole);
  const queue = new KeyQueue(background, "aggregate cluster roles", async (key) => {
    await modify(store, key, (object) => aggregated(object as ClusterRole, roles()));
  });
  const consider = (): void => {
    for (const role of roles()) if (role.aggregationRule) queue.add(`${CLUSTER_ROLES}/${role.metadata.name}`);
  };
  consider();
  return store.subscribe(CLUSTER_ROLES, consider);
}

/** The role with the rules it should have; undefined when it has them. */
function aggregated(role: ClusterRole, all: readonly ClusterRole[]): ClusterRole | undefined {
  if (!role.aggregationRule) return undefined;
  const rules: PolicyRule[] = [];
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const compiled = compileObjectSelector(selector);
    const selected = all.filter(
      (r) => r.metadata.name !== role.metadata.name && compiled && labelsMatch(compiled, r.metadata.labels),
    );
    for (const rule of selected.flatMap((r) => r.rules ?? [])) {
      if (!rules.some((known) => equalJson(known, rule))) rules.push(rule);
    }
  }
  return equalJson(rules, role.rules ?? []) ? undefined : { ...role, rules };
}
