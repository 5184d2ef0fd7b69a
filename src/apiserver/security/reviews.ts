/** The kinds that only answer questions: who am I, may I, may they, is this token good. */
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { type ApiRequest, type ApiResponse, json, type UserInfo } from "../http/message.ts";
import { badRequest, methodUnknown } from "../http/status-error.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { decodeBody } from "../rest/body.ts";
import { invalidObject } from "../rest/invalid-object.ts";
import type { ResourceRequest } from "../rest/request-info.ts";
import { AUTHENTICATED } from "./authenticator.ts";
import type { AccessQuestion, PolicyRule, RbacAuthorizer } from "./rbac.ts";
import { ISSUER, type ServiceAccountTokens } from "./service-account-tokens.ts";

export interface ReviewTools {
  readonly authorizer: RbacAuthorizer;
  readonly tokens: ServiceAccountTokens;
}

interface Review {
  readonly spec: JsonObject;
  readonly user: UserInfo;
  readonly info: ResourceRequest;
  readonly tools: ReviewTools;
}

type Reviewer = (review: Review) => unknown | Promise<unknown>;

const AUTHORIZATION = "authorization.k8s.io";
const AUTHENTICATION = "authentication.k8s.io";

const REVIEWS: Readonly<Record<string, { kind: string; group: string; review: Reviewer }>> = {
  selfsubjectaccessreviews: { kind: "SelfSubjectAccessReview", group: AUTHORIZATION, review: selfAccess },
  subjectaccessreviews: { kind: "SubjectAccessReview", group: AUTHORIZATION, review: access },
  localsubjectaccessreviews: { kind: "LocalSubjectAccessReview", group: AUTHORIZATION, review: localAccess },
  selfsubjectrulesreviews: { kind: "SelfSubjectRulesReview", group: AUTHORIZATION, review: selfRules },
  selfsubjectreviews: { kind: "SelfSubjectReview", group: AUTHENTICATION, review: ({ user }) => ({ userInfo: user }) },
  tokenreviews: { kind: "TokenReview", group: AUTHENTICATION, review: tokenReview },
};

/** Answers a review; undefined when the request is about something else. */
export function serveReview(
  request: ApiRequest,
  info: ResourceRequest,
  user: UserInfo,
  tools: ReviewTools,
): Promise<ApiResponse> | undefined {
  const found = REVIEWS[info.resource];
  if (!found || found.group !== info.group || info.version !== "v1") return undefined;
  return answer(request, found, { user, info, tools });
}

async function answer(
  request: ApiRequest,
  { kind, group, review }: { kind: string; group: string; review: Reviewer },
  rest: Omit<Review, "spec">,
): Promise<ApiResponse> {
  if (rest.info.verb !== "create") throw methodUnknown();
  const { object } = decodeBody(request.body, request.headers["content-type"], kind);
  const spec = isJsonObject(object.spec) ? object.spec : {};
  const status = await review({ spec, ...rest });
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  const body = kind === "SelfSubjectReview" ? { status } : { spec, status };
  return json(201, { kind, apiVersion: `${group}/v1`, metadata, ...body });
}

function selfAccess({ spec, user, tools }: Review): unknown {
  refuse("SelfSubjectAccessReview", attributeErrors(spec));
  return verdict(tools, user, questionOf(spec));
}

function access({ spec, tools }: Review): unknown {
  const errors = attributeErrors(spec);
  if (!spec.user && !(Array.isArray(spec.groups) && spec.groups.length > 0)) {
    errors.push(invalid("spec.user", spec.user ?? "", "at least one of user or group must be specified"));
  }
  refuse("SubjectAccessReview", errors);
  return verdict(tools, reviewedUser(spec), questionOf(spec));
}

function localAccess({ spec, info, tools }: Review): unknown {
  const question = questionOf(spec);
  if (!question.isResource || question.namespace !== info.namespace) {
    throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${info.namespace}`);
  }
  return verdict(tools, reviewedUser(spec), question);
}

function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject({ group: AUTHORIZATION, kind }, "", errors);
}

function attributeErrors({ resourceAttributes, nonResourceAttributes }: JsonObject): FieldError[] {
  const field = "spec.resourceAttributes";
  if (resourceAttributes && nonResourceAttributes) {
    return [
      invalid(
        "spec.nonResourceAttributes",
        nonResourceAttributes,
        "cannot be specified in combination with resourceAttributes",
      ),
    ];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  return [invalid(field, null, "exactly one of nonResourceAttributes or resourceAttributes must be specified")];
}

function verdict({ authorizer }: ReviewTools, user: UserInfo, question: AccessQuestion): unknown {
  const { allowed, reason } = authorizer.decide(user, question);
  return { allowed, ...(reason && { reason }) };
}

function reviewedUser(spec: JsonObject): UserInfo {
  return { username: String(spec.user ?? ""), groups: Array.isArray(spec.groups) ? spec.groups.map(String) : [] };
}

function questionOf({ resourceAttributes, nonResourceAttributes }: JsonObject): AccessQuestion {
  if (isJsonObject(resourceAttributes)) {
    const text = (key: string): string => (typeof resourceAttributes[key] === "string" ? resourceAttributes[key] : "");
    return {
      isResource: true,
      verb: text("verb"),
      group: text("group"),
      resource: text("resource"),
      subresource: text("subresource"),
      namespace: text("namespace"),
      name: text("name"),
    };
  }
  const path = isJsonObject(nonResourceAttributes) ? nonResourceAttributes : {};
  return { isResource: false, verb: String(path.verb ?? ""), path: String(path.path ?? "") };
}

const EVERYTHING: PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

function selfRules({ spec, user, tools }: Review): unknown {
  const namespace = typeof spec.namespace === "string" ? spec.namespace : "";
  if (namespace === "") throw badRequest("no namespace on request");
  const granted = [...tools.authorizer.rulesFor(user, namespace)].map(({ rule }) => rule);
  const rules = user.groups.includes("system:masters") ? [...EVERYTHING, ...granted] : granted;
  return {
    resourceRules: rules.filter((r) => r.resources?.length),
    nonResourceRules: rules
      .filter((r) => r.nonResourceURLs?.length)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
  };
}

async function tokenReview({ spec, tools }: Review): Promise<unknown> {
  const token = typeof spec.token === "string" ? spec.token : "";
  const audiences = Array.isArray(spec.audiences) && spec.audiences.length > 0 ? spec.audiences.map(String) : [ISSUER];
  if (token === "") {
    throw invalidObject({ group: AUTHENTICATION, kind: "TokenReview" }, "", [
      forbidden("spec.token", "token is required for TokenReview in authentication"),
    ]);
  }
  const user = await tools.tokens.check(token, audiences);
  if (!user) return { user: {}, error: "[invalid bearer token]" };
  return { authenticated: true, user: { ...user, groups: [...user.groups, AUTHENTICATED] }, audiences };
}
