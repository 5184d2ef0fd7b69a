/** `metav1.Condition`, and the one rule about it: the transition time moves only when the status changes. */

export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

/** A condition as a decision states it, before it has a time. */
export type ConditionStatement = Omit<Condition, "lastTransitionTime">;

/** The conditions with one of them stated anew; the same array when nothing about it changed. */
export function withCondition(
  conditions: readonly Condition[],
  stated: ConditionStatement,
  now: Date,
): readonly Condition[] {
  const at = conditions.findIndex((c) => c.type === stated.type);
  const old = conditions[at];
  if (!old) return [...conditions, { ...stated, lastTransitionTime: wireTime(now) }];
  const fresh: Condition = {
    ...stated,
    lastTransitionTime: old.status === stated.status ? old.lastTransitionTime : wireTime(now),
  };
  return sameCondition(old, fresh) ? conditions : conditions.with(at, fresh);
}

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((c) => c.type === type);
}

export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === "True";
}

/** RFC 3339 with whole seconds, as `metav1.Time` is written. */
export function wireTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 with microseconds, as `metav1.MicroTime` is written (Lease, events.k8s.io). */
export function wireMicroTime(time: Date): string {
  return `${time.toISOString().slice(0, 23)}000Z`;
}

function sameCondition(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration
  );
}
