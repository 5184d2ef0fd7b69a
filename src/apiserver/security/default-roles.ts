/** The roles and bindings every cluster has from the start. Names and rules are part of the Kubernetes contract. */
import type { PolicyRule } from "./rbac.ts";

const READ = ["get", "list", "watch"];
const WRITE = ["create", "delete", "deletecollection", "patch", "update"];
const GROUP = "rbac.authorization.k8s.io";
const AGGREGATE = `${GROUP}/aggregate-to-`;

interface DefaultRole {
  readonly name: string;
  readonly rules?: readonly PolicyRule[];
  /** The role this one's rules are added to. */
  readonly aggregatesTo?: string;
  /** Collects the rules of every role that aggregates to it. */
  readonly collects?: boolean;
}

const resources = (verbs: readonly string[], apiGroups: readonly string[], names: readonly string[]): PolicyRule => ({
  verbs,
  apiGroups,
  resources: names,
});
const paths = (urls: readonly string[]): PolicyRule => ({ verbs: ["get"], nonResourceURLs: urls });

const HEALTH = ["/healthz", "/livez", "/readyz", "/version", "/version/"];

const ROLES: readonly DefaultRole[] = [
  {
    name: "cluster-admin",
    rules: [resources(["*"], ["*"], ["*"]), { verbs: ["*"], nonResourceURLs: ["*"] }],
  },
  { name: "admin", collects: true },
  { name: "edit", collects: true, aggregatesTo: "admin" },
  { name: "view", collects: true, aggregatesTo: "edit" },
  {
    name: "system:aggregate-to-admin",
    aggregatesTo: "admin",
    rules: [
      resources(["create"], ["authorization.k8s.io"], ["localsubjectaccessreviews"]),
      resources([...WRITE, ...READ], [GROUP], ["rolebindings", "roles"]),
    ],
  },
  {
    name: "system:aggregate-to-edit",
    aggregatesTo: "edit",
    rules: [
      resources(READ, [""], ["secrets"]),
      resources(["impersonate"], [""], ["serviceaccounts"]),
      resources(WRITE, [""], ["configmaps", "secrets", "serviceaccounts", "services"]),
      resources(["create"], [""], ["serviceaccounts/token"]),
      resources(WRITE, ["", "events.k8s.io"], ["events"]),
      resources([...WRITE, ...READ], ["coordination.k8s.io"], ["leases"]),
    ],
  },
  {
    name: "system:aggregate-to-view",
    aggregatesTo: "view",
    rules: [
      resources(READ, [""], ["configmaps", "serviceaccounts", "services", "services/status"]),
      resources(READ, [""], ["namespaces", "namespaces/status"]),
      resources(READ, ["", "events.k8s.io"], ["events"]),
      resources(READ, ["discovery.k8s.io"], ["endpointslices"]),
    ],
  },
  {
    name: "system:auth-delegator",
    rules: [
      resources(["create"], ["authentication.k8s.io"], ["tokenreviews"]),
      resources(["create"], ["authorization.k8s.io"], ["subjectaccessreviews"]),
    ],
  },
  {
    name: "system:basic-user",
    rules: [
      resources(["create"], ["authorization.k8s.io"], ["selfsubjectaccessreviews", "selfsubjectrulesreviews"]),
      resources(["create"], ["authentication.k8s.io"], ["selfsubjectreviews"]),
    ],
  },
  {
    name: "system:discovery",
    rules: [paths(["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*", ...HEALTH])],
  },
  { name: "system:public-info-viewer", rules: [paths(HEALTH)] },
  {
    name: "system:service-account-issuer-discovery",
    rules: [paths(["/.well-known/openid-configuration", "/openid/v1/jwks"])],
  },
];

const BINDINGS: readonly (readonly [role: string, ...groups: string[]])[] = [
  ["cluster-admin", "system:masters"],
  ["system:basic-user", "system:authenticated"],
  ["system:discovery", "system:authenticated"],
  ["system:public-info-viewer", "system:authenticated", "system:unauthenticated"],
  ["system:service-account-issuer-discovery", "system:serviceaccounts"],
];

const metadata = (name: string, labels: Record<string, string> = {}): object => ({
  name,
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
});

export const defaultClusterRoles: readonly object[] = ROLES.map(({ name, rules, aggregatesTo, collects }) => ({
  apiVersion: `${GROUP}/v1`,
  kind: "ClusterRole",
  metadata: metadata(name, aggregatesTo ? { [AGGREGATE + aggregatesTo]: "true" } : {}),
  rules: rules ?? null,
  ...(collects && {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [AGGREGATE + name]: "true" } }] },
  }),
}));

export const defaultClusterRoleBindings: readonly object[] = BINDINGS.map(([role, ...groups]) => ({
  apiVersion: `${GROUP}/v1`,
  kind: "ClusterRoleBinding",
  metadata: metadata(role),
  subjects: groups.map((name) => ({ kind: "Group", apiGroup: GROUP, name })),
  roleRef: { apiGroup: GROUP, kind: "ClusterRole", name: role },
}));
