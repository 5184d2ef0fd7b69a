/** What an elector writes into a Lease; the record client-go's electors read and write too. */
import { type Lease, wireMicroTime } from "#kinds";

export type LeaseSpec = NonNullable<Lease["spec"]>;

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
