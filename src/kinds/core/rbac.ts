/** Roles and bindings of `rbac.authorization.k8s.io`: one grammar, so one file. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";

export interface PolicyRule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

export interface Subject {
  kind: string;
  name: string;
  namespace?: string;
  apiGroup?: string;
}

export interface RoleRef {
  apiGroup: string;
  kind: string;
  name: string;
}

export interface Role extends KubeObject {
  rules?: PolicyRule[] | null;
}

export interface ClusterRole extends KubeObject {
  rules?: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: { matchLabels?: Record<string, string> }[] };
}

export interface RoleBinding extends KubeObject {
  subjects?: Subject[];
  roleRef: RoleRef;
}

export interface ClusterRoleBinding extends KubeObject {
  subjects?: Subject[];
  roleRef: RoleRef;
}

const api = { group: "rbac.authorization.k8s.io", version: "v1" } as const;

export const Role: Kind<Role> = { ...api, kind: "Role", plural: "roles", scope: "Namespaced" };

export const ClusterRole: Kind<ClusterRole> = { ...api, kind: "ClusterRole", plural: "clusterroles", scope: "Cluster" };

export const RoleBinding: Kind<RoleBinding> = {
  ...api,
  kind: "RoleBinding",
  plural: "rolebindings",
  scope: "Namespaced",
};

export const ClusterRoleBinding: Kind<ClusterRoleBinding> = {
  ...api,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  scope: "Cluster",
};
