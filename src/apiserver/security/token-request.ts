/** POST …/serviceaccounts/NAME/token: hands out a token for a service account. */
import { wireTime } from "#kinds";
import { type FieldError, invalid } from "../field-error.ts";
import { type ApiRequest, type ApiResponse, json } from "../http/message.ts";
import { methodUnknown, notFound } from "../http/status-error.ts";
import { isJsonObject } from "../json.ts";
import { decodeBody } from "../rest/body.ts";
import { invalidObject } from "../rest/invalid-object.ts";
import type { ResourceRequest } from "../rest/request-info.ts";
import type { Store } from "../store/index.ts";
import { ISSUER, type ServiceAccountTokens } from "./service-account-tokens.ts";

const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;
const DEFAULT_SECONDS = 3600;
const RESOURCE = { group: "", plural: "serviceaccounts" };

export async function requestToken(
  request: ApiRequest,
  info: ResourceRequest,
  store: Store,
  tokens: ServiceAccountTokens,
): Promise<ApiResponse> {
  if (info.verb !== "create") throw methodUnknown();
  const account = store.get(`core/serviceaccounts/${info.namespace}/${info.name}`)?.object;
  if (!account) throw notFound(RESOURCE, info.name);
  const { object } = decodeBody(request.body, request.headers["content-type"], "TokenRequest");
  const spec = isJsonObject(object.spec) ? object.spec : {};
  const lifetimeSeconds = typeof spec.expirationSeconds === "number" ? spec.expirationSeconds : DEFAULT_SECONDS;
  const errors = lifetimeErrors(lifetimeSeconds);
  if (errors.length > 0)
    throw invalidObject({ group: "authentication.k8s.io", kind: "TokenRequest" }, info.name, errors);
  const audiences = Array.isArray(spec.audiences) && spec.audiences.length > 0 ? spec.audiences.map(String) : [ISSUER];
  const uid = account.metadata.uid ?? "";
  const { token, expires } = await tokens.issue({
    namespace: info.namespace,
    name: info.name,
    uid,
    audiences,
    lifetimeSeconds,
  });
  return json(201, {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: {
      name: info.name,
      namespace: info.namespace,
      creationTimestamp: wireTime(new Date(expires.getTime() - lifetimeSeconds * 1000)),
    },
    spec: { audiences, expirationSeconds: lifetimeSeconds, boundObjectRef: null },
    status: { token, expirationTimestamp: wireTime(expires) },
  });
}

function lifetimeErrors(seconds: number): FieldError[] {
  const field = "spec.expirationSeconds";
  if (seconds < SHORTEST_SECONDS) return [invalid(field, seconds, "may not specify a duration less than 10 minutes")];
  return seconds > LONGEST_SECONDS
    ? [invalid(field, seconds, "may not specify a duration larger than 2^32 seconds")]
    : [];
}
