/** Typed handlers: a kind and a function. Where one is reachable follows from its kind, as this ecosystem expects. */
import type { Kind, KubeObject } from "#kinds";
import { type AdmissionRequest, allow, patch, type Verdict } from "./admission.ts";
import { jsonDifference } from "./json-difference.ts";

export interface WebhookHandler {
  /** `/validate-GROUP-VERSION-KIND` or `/mutate-…`, dots as dashes and lower case. */
  readonly path: string;
  readonly kind: Kind;
  readonly review: (request: AdmissionRequest) => Promise<Verdict> | Verdict;
}

/** Says yes or no to a change. */
export function validate<T extends KubeObject>(
  kind: Kind<T>,
  review: (request: AdmissionRequest<T>) => Promise<Verdict> | Verdict,
): WebhookHandler {
  const withoutPatch = async (request: AdmissionRequest): Promise<Verdict> => {
    const { patch: _, ...verdict } = await review(request as AdmissionRequest<T>);
    return verdict;
  };
  return { path: pathOf("validate", kind), kind, review: withoutPatch };
}

/** Changes an object on its way in: returns a verdict, or the object as it should be (nothing: as it is). */
export function mutate<T extends KubeObject>(
  kind: Kind<T>,
  review: (request: AdmissionRequest<T>) => Promise<Verdict | T | undefined> | Verdict | T | undefined,
): WebhookHandler {
  const asVerdict = async (request: AdmissionRequest): Promise<Verdict> => {
    const before = structuredClone(request.object);
    const answer = await review(request as AdmissionRequest<T>);
    if (answer === undefined) return allow();
    if ("allowed" in answer) return answer;
    return patch(jsonDifference(before, answer));
  };
  return { path: pathOf("mutate", kind), kind, review: asVerdict };
}

function pathOf(verb: string, { group, version, kind }: Kind): string {
  const words = [verb, group.replaceAll(".", "-"), version, kind.toLowerCase()];
  return `/${words.join("-")}`;
}
