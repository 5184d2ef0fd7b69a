/** One request from beginning to end: who asks, what for, may they, and the answer. The same for HTTP and in-process. */

import type { Call, Environment } from "../rest/call.ts";
import { dispatch } from "../rest/dispatch.ts";
import { type ResourceRequest, requestInfo } from "../rest/request-info.ts";
import { accessDenied } from "../security/access-denied.ts";
import { authenticate, type TokenCheck } from "../security/authenticator.ts";
import { impersonated } from "../security/impersonation.ts";
import type { RbacAuthorizer } from "../security/rbac.ts";
import { StorageFailed } from "../store/index.ts";
import { InFlight } from "./in-flight.ts";
import { type ApiRequest, type ApiResponse, type Handler, json, text, type UserInfo } from "./message.ts";
import { negotiate } from "./negotiate.ts";
import { internalError, StatusError, unknownResource } from "./status-error.ts";

/** Answers requests about a resource that is not stored; undefined when there is no such resource. */
export type VirtualResources = (
  request: ApiRequest,
  info: ResourceRequest,
  user: UserInfo,
) => Promise<ApiResponse> | undefined;

export interface PipelineOptions {
  readonly environment: Environment;
  readonly authorizer: RbacAuthorizer;
  readonly checkToken: TokenCheck;
  /** Health, version, discovery, OpenAPI; undefined when the path is none of these. */
  readonly servePath: (request: ApiRequest) => ApiResponse | undefined;
  readonly serveVirtual: VirtualResources;
  readonly report: (what: string, error: unknown) => void;
}

export function createPipeline(options: PipelineOptions): Handler {
  const inFlight = new InFlight();
  return async (request) => {
    try {
      // A watch counts only until it streams: its answer is there as soon as it began.
      return await inFlight.run(request.method, () => answer(request, options));
    } catch (error) {
      return refusal(request, error, options);
    }
  };
}

async function answer(request: ApiRequest, options: PipelineOptions): Promise<ApiResponse> {
  const asking = await authenticate(request, options.checkToken);
  const user = impersonated(request, asking, options.authorizer);
  const info = requestInfo(request);
  if (!options.authorizer.decide(user, info).allowed) throw accessDenied(user, info);
  if (!info.isResource) return options.servePath(request) ?? text(404, "404 page not found\n");
  return (await options.serveVirtual(request, info, user)) ?? serveResource(request, info, user, options);
}

async function serveResource(
  request: ApiRequest,
  info: ResourceRequest,
  user: UserInfo,
  { environment }: PipelineOptions,
): Promise<ApiResponse> {
  const resource = environment.registry.find(info.group, info.version, info.resource);
  if (!resource) throw missing(info, environment);
  const isNamespaced = resource.scope === "Namespaced";
  if (!isNamespaced && info.namespace !== "" && info.resource !== "namespaces") throw missing(info, environment);
  const scoped = isNamespaced || info.namespace === "" ? info : { ...info, namespace: "" };
  const call: Call = {
    request,
    info: scoped,
    resource,
    user,
    accepted: negotiate(request.headers.accept),
    warnings: resource.deprecation ? [resource.deprecation] : [],
  };
  return dispatch(call, environment);
}

/** Upstream answers in text where it does not know the group, and with a Status where it knows only the resource not. */
function missing({ group, version }: ResourceRequest, { registry }: Environment): StatusError | PlainNotFound {
  const known = group === "" || registry.all().some((r) => r.group === group);
  return known && (group === "" || registry.hasGroupVersion(group, version)) ? unknownResource() : new PlainNotFound();
}

class PlainNotFound extends Error {}

function refusal(request: ApiRequest, error: unknown, { report }: PipelineOptions): ApiResponse {
  if (error instanceof PlainNotFound) return text(404, "404 page not found\n");
  if (error instanceof StatusError) return statusAnswer(request, error);
  if (!request.signal.aborted && !(error instanceof StorageFailed)) report(`${request.method} ${request.path}`, error);
  return statusAnswer(request, internalError(error));
}

function statusAnswer(_request: ApiRequest, { code, body }: StatusError): ApiResponse {
  const answered = json(code, body);
  const retry = body.details?.retryAfterSeconds;
  if (retry) answered.headers["retry-after"] = String(retry);
  return answered;
}
