/** Which struct each built-in kind is, by apiVersion and kind. */

const KINDS: Record<string, Record<string, readonly string[]>> = {
  core: { v1: ["Namespace", "ConfigMap", "Secret", "ServiceAccount", "Node", "Event", "Service"] },
  events: { "events.k8s.io/v1": ["Event"] },
  coordination: { "coordination.k8s.io/v1": ["Lease"] },
  discovery: { "discovery.k8s.io/v1": ["EndpointSlice"] },
  rbac: { "rbac.authorization.k8s.io/v1": ["Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"] },
  apiextensions: { "apiextensions.k8s.io/v1": ["CustomResourceDefinition"] },
  admissionregistration: {
    "admissionregistration.k8s.io/v1": ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"],
  },
  authentication: { "authentication.k8s.io/v1": ["TokenReview", "TokenRequest", "SelfSubjectReview"] },
  authorization: {
    "authorization.k8s.io/v1": [
      "SubjectAccessReview",
      "LocalSubjectAccessReview",
      "SelfSubjectAccessReview",
      "SelfSubjectRulesReview",
    ],
  },
  autoscaling: { "autoscaling/v1": ["Scale"] },
};

const structs = new Map<string, string>();
for (const [group, versions] of Object.entries(KINDS)) {
  for (const [apiVersion, kinds] of Object.entries(versions)) {
    for (const kind of kinds) structs.set(`${apiVersion} ${kind}`, `${group}.${kind}`);
  }
}

/** The name of a kind's struct; undefined when the kind is not built in. */
export function structOfKind(apiVersion: string, kind: string): string | undefined {
  // Options and their like are the same in every group.
  if (kind === "DeleteOptions") return "meta.DeleteOptions";
  return structs.get(`${apiVersion} ${kind}`);
}

/** Every built-in kind, as `[apiVersion, kind]`. */
export function builtinKinds(): [string, string][] {
  return [...structs.keys()].map((key) => key.split(" ") as [string, string]);
}
