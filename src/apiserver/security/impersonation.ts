/** Lets those who may impersonate others act as them: `kubectl --as`. */
import type { ApiRequest, UserInfo } from "../http/message.ts";
import { badRequest } from "../http/status-error.ts";
import type { ResourceRequest } from "../rest/request-info.ts";
import { accessDenied } from "./access-denied.ts";
import { ANONYMOUS, AUTHENTICATED } from "./authenticator.ts";
import type { RbacAuthorizer } from "./rbac.ts";

const EXTRA = "impersonate-extra-";
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** The user a request is to be served for; throws when the asking user may not act as that one. */
export function impersonated({ headers }: ApiRequest, asking: UserInfo, authorizer: RbacAuthorizer): UserInfo {
  const username = headers["impersonate-user"];
  const groups = headers["impersonate-group"]?.split(/,\s*/).filter(Boolean) ?? [];
  const uid = headers["impersonate-uid"];
  if (!username) {
    if (groups.length === 0 && !uid && !Object.keys(headers).some((h) => h.startsWith(EXTRA))) return asking;
    throw badRequest("requested groups, uid or extra without impersonating a user");
  }
  const account = SERVICE_ACCOUNT.exec(username);
  for (const question of questions({ username, account, groups, uid })) {
    if (!authorizer.decide(asking, question).allowed) throw accessDenied(asking, question);
  }
  const own = account ? ["system:serviceaccounts", `system:serviceaccounts:${account[1]}`] : [];
  const all = groups.length > 0 ? groups : own;
  const authenticated = username === ANONYMOUS.username || all.includes(AUTHENTICATED) ? [] : [AUTHENTICATED];
  return { username, groups: [...all, ...authenticated], ...(uid && { uid }) };
}

interface Wanted {
  readonly username: string;
  readonly account: RegExpExecArray | null;
  readonly groups: readonly string[];
  readonly uid: string | undefined;
}

function questions({ username, account, groups, uid }: Wanted): ResourceRequest[] {
  const ask = (resource: string, name: string, namespace = "", group = ""): ResourceRequest => ({
    isResource: true,
    verb: "impersonate",
    group,
    version: "",
    resource,
    subresource: "",
    namespace,
    name,
  });
  const who = account ? ask("serviceaccounts", account[2] ?? "", account[1]) : ask("users", username);
  const uids = uid ? [ask("uids", uid, "", "authentication.k8s.io")] : [];
  return [who, ...groups.map((name) => ask("groups", name)), ...uids];
}
