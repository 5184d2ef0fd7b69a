/** The words in which a decision is said: settled, act, wait; create, apply, change, remove. Values only. */
import type { Kind, KubeObject } from "#kinds";
import type { DeleteOptions, Draft, ObjectName } from "../client/client.ts";
import type { Decision, Waiting, Write } from "./decision.ts";

type Rest<A> = Partial<Omit<Decision<A>, "reason">>;

/** Nothing to change. */
export function settled<A = never>(reason: string, rest: Rest<A> = {}): Decision<A> {
  return { writes: [], hardware: [], conditions: [], ...rest, reason };
}

/** These writes, in this order. */
export function act<A = never>(reason: string, ...writes: readonly Write[]): Decision<A> {
  return settled(reason, { writes });
}

/** Nothing to do until something happens, or until the deadline at the latest. */
export function wait<A = never>(waitingFor: Waiting, rest: Rest<A> = {}): Decision<A> {
  const wakeAt = waitingFor.deadline ? { wakeAt: waitingFor.deadline } : {};
  return settled(waitingFor.message, { ...wakeAt, ...rest, waitingFor });
}

export function create<T extends KubeObject>(kind: Kind<T>, object: Draft<T>): Write {
  return { verb: "create", kind, object: object as unknown as Draft<KubeObject> };
}

/** Makes these fields so, by server-side apply, and takes them over from whoever else wrote them; harmless to repeat. */
export function apply<T extends KubeObject>(kind: Kind<T>, object: Partial<T> & Pick<T, "metadata">): Write {
  return { verb: "apply", kind, object, force: true };
}

/** From the state that was observed to this one; refused when somebody changed it meanwhile. */
export function change<T extends KubeObject>(kind: Kind<T>, before: T, after: T, subresource?: "status"): Write {
  return { verb: "change", kind, before, after, ...(subresource ? { subresource } : {}) };
}

export function remove<T extends KubeObject>(
  kind: Kind<T>,
  name: ObjectName,
  preconditions?: DeleteOptions["preconditions"],
): Write {
  return { verb: "delete", kind, name, ...(preconditions ? { preconditions } : {}) };
}
