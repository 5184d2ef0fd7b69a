/** The Lease of `coordination.k8s.io`, by which replicas elect a leader. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";

export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    /** RFC 3339 with microseconds. */
    acquireTime?: string;
    /** RFC 3339 with microseconds. */
    renewTime?: string;
    leaseTransitions?: number;
    strategy?: string;
    preferredHolder?: string;
  };
}

export const Lease: Kind<Lease> = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  scope: "Namespaced",
};
