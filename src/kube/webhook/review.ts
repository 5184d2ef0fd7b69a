/** AdmissionReview in and out: refuses what is not one, with all that is wrong, and writes answers the server accepts. */
import type { Kind, KubeObject } from "#kinds";
import type { AdmissionRequest, Verdict } from "./admission.ts";

/** The request cannot be understood; its message goes to the caller with 400. */
export class BadReview extends Error {
  override readonly name = "BadReview";
}

type Fields = Record<string, unknown>;

const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"];
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function parseReview(text: string, kind: Kind, signal: AbortSignal): AdmissionRequest {
  const review = parseJson(text);
  if (!isFields(review) || review.kind !== "AdmissionReview") throw new BadReview("the body is not an AdmissionReview");
  if (review.apiVersion !== "admission.k8s.io/v1") {
    throw new BadReview(`AdmissionReview ${String(review.apiVersion)} is not understood, only admission.k8s.io/v1`);
  }
  const { request } = review;
  if (!isFields(request)) throw new BadReview("the AdmissionReview has no request");
  const problems = [...problemsOf(request, kind)];
  if (problems.length > 0) throw new BadReview(`the AdmissionReview cannot be answered: ${problems.join("; ")}`);
  const { object, oldObject, userInfo, dryRun, ...rest } = request;
  return {
    ...rest,
    ...(isFields(object) ? { object } : {}),
    ...(isFields(oldObject) ? { oldObject } : {}),
    userInfo: isFields(userInfo) ? userInfo : {},
    dryRun: dryRun === true,
    signal,
  } as unknown as AdmissionRequest<KubeObject>;
}

export function renderReview(uid: string, verdict: Verdict): string {
  const { allowed, warnings, patch, message } = verdict;
  const code = verdict.code ?? (allowed ? 200 : 403);
  const reason = verdict.reason ?? (allowed ? undefined : "Forbidden");
  const response = {
    uid,
    allowed,
    ...(warnings?.length ? { warnings } : {}),
    ...(allowed && message === undefined ? {} : { status: { code, message, reason } }),
    ...(allowed && patch?.length
      ? { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(patch)).toString("base64") }
      : {}),
  };
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadReview(`the body is not JSON: ${(error as Error).message}`);
  }
}

function* problemsOf(request: Fields, kind: Kind): Generator<string> {
  const { uid, operation, kind: asked } = request;
  if (typeof uid !== "string" || uid === "") yield "request.uid is missing";
  if (!OPERATIONS.includes(operation as string)) yield `request.operation ${JSON.stringify(operation)} is not known`;
  if (!isFields(asked)) yield "request.kind is missing";
  else if (asked.kind !== kind.kind || asked.group !== kind.group) {
    yield `request.kind is ${String(asked.group)}/${String(asked.kind)}, and ${kind.group}/${kind.kind} is answered here`;
  }
  if ((operation === "CREATE" || operation === "UPDATE") && !isObject(request.object)) {
    yield `request.object is missing for ${operation}`;
  }
  if ((operation === "UPDATE" || operation === "DELETE") && !isObject(request.oldObject)) {
    yield `request.oldObject is missing for ${String(operation)}`;
  }
}

function isObject(value: unknown): boolean {
  return isFields(value) && isFields(value.metadata);
}
