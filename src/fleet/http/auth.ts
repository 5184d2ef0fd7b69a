/** Who is asking: a session token or a name and password. */
import type { IncomingHttpHeaders } from "node:http";
import type { Bmc } from "../bmc/bmc.ts";

/** The user's name, or undefined when the credentials open nothing. */
export function authenticate(bmc: Bmc, headers: IncomingHttpHeaders): string | undefined {
  const token = headers["x-auth-token"];
  if (typeof token === "string" && bmc.profile.sessions) return bmc.sessions.use(token)?.username;
  const basic = /^basic (.*)$/i.exec(headers.authorization ?? "")?.[1];
  if (basic === undefined) return undefined;
  const pair = Buffer.from(basic, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon < 0) return undefined;
  return bmc.accounts.check(pair.slice(0, colon), pair.slice(colon + 1), bmc.world.clock.monotonic())?.username;
}
