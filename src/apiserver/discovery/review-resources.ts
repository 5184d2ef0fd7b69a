/** Resources that only answer a question when created: nothing of them is stored. */
import type { DiscoveredResource } from "./discovery.ts";

function review(group: string, kind: string, scope: "Namespaced" | "Cluster" = "Cluster"): DiscoveredResource {
  const singular = kind.toLowerCase();
  return {
    group,
    version: "v1",
    kind,
    plural: `${singular}s`,
    singular,
    shortNames: [],
    categories: [],
    scope,
    subresources: new Map(),
    verbs: ["create"],
  };
}

export const reviewResources: readonly DiscoveredResource[] = [
  review("authentication.k8s.io", "TokenReview"),
  review("authentication.k8s.io", "SelfSubjectReview"),
  review("authorization.k8s.io", "SubjectAccessReview"),
  review("authorization.k8s.io", "LocalSubjectAccessReview", "Namespaced"),
  review("authorization.k8s.io", "SelfSubjectAccessReview"),
  review("authorization.k8s.io", "SelfSubjectRulesReview"),
];
