/** The Lease on the wire (coordination.k8s.io/v1) and what an elector writes into it; understood by client-go's too. */
import { type Kind, type KubeObject, wireMicroTime } from "#kinds";

export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export interface Lease extends KubeObject {
  spec?: LeaseSpec;
}

export const Lease: Kind<Lease> = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  scope: "Namespaced",
};

export interface Candidate {
  readonly identity: string;
  readonly leaseDurationMs: number;
}

/** The record that makes the candidate the holder: a renewal keeps the time of acquisition, a take-over counts. */
export function heldBy(candidate: Candidate, before: LeaseSpec | undefined, now: Date): LeaseSpec {
  const renewal = before?.holderIdentity === candidate.identity;
  const time = wireMicroTime(now);
  return {
    ...before,
    holderIdentity: candidate.identity,
    leaseDurationSeconds: Math.ceil(candidate.leaseDurationMs / 1000),
    acquireTime: (renewal ? before.acquireTime : undefined) ?? time,
    renewTime: time,
    leaseTransitions: before ? (before.leaseTransitions ?? 0) + (renewal ? 0 : 1) : 0,
  };
}

/** The record of a holder who stepped down: nobody holds it, and waiting for it takes no longer than a second. */
export function released(before: LeaseSpec, now: Date): LeaseSpec {
  const time = wireMicroTime(now);
  return { ...before, holderIdentity: "", leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}

/** Whether two records are the same record; a renewal is a different one. */
export function sameRecord(a: LeaseSpec | undefined, b: LeaseSpec | undefined): boolean {
  return (
    a?.holderIdentity === b?.holderIdentity &&
    a?.renewTime === b?.renewTime &&
    a?.acquireTime === b?.acquireTime &&
    a?.leaseDurationSeconds === b?.leaseDurationSeconds &&
    a?.leaseTransitions === b?.leaseTransitions
  );
}
