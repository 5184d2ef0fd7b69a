/** Finds out who asks: by client certificate, by bearer token, or nobody in particular. */
import type { ApiRequest, UserInfo } from "../http/message.ts";
import { unauthorized } from "../http/status-error.ts";

export const AUTHENTICATED = "system:authenticated";
const UNAUTHENTICATED = "system:unauthenticated";
export const ANONYMOUS: UserInfo = { username: "system:anonymous", groups: [UNAUTHENTICATED] };

/** The user a bearer token stands for; undefined when it is not one of ours or no longer valid. */
export type TokenCheck = (token: string) => Promise<UserInfo | undefined>;

export async function authenticate(request: ApiRequest, checkToken: TokenCheck): Promise<UserInfo> {
  if (request.user) return authenticated(request.user);
  const header = request.headers.authorization;
  if (!header) return ANONYMOUS;
  const [, token] = /^Bearer\s+(\S+)$/i.exec(header.trim()) ?? [];
  const user = token ? await checkToken(token) : undefined;
  if (!user) throw unauthorized();
  return authenticated(user);
}

function authenticated(user: UserInfo): UserInfo {
  if (user.username === ANONYMOUS.username || user.groups.includes(AUTHENTICATED)) return user;
  return { ...user, groups: [...user.groups, AUTHENTICATED] };
}
