/** What an object says it is. */
import { apiVersionOf, type Kind, type KubeObject } from "#kinds";
import type { Priority } from "../transport/transport.ts";

/** The object, calling itself what it is: items of lists often leave it out, and bare metadata calls itself something else. */
export function identified<T extends KubeObject>(kind: Kind<T>, object: KubeObject): T {
  object.apiVersion = apiVersionOf(kind);
  object.kind = kind.kind;
  return object as T;
}

/** Leases go before everything else: losing one for want of a turn stops all other work. */
export function isLease(kind: Kind): boolean {
  return kind.group === "coordination.k8s.io" && kind.plural === "leases";
}

export function priorityOf(kind: Kind, given: Priority | undefined, subresource?: string): Priority {
  if (given) return given;
  if (isLease(kind)) return "lease";
  return subresource === "status" ? "status" : "normal";
}
