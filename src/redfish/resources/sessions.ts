/** Sessions on the BMC, our own that a crash left behind among them. */
import { type Outcome, success } from "../protocol/outcome.ts";
import { readString } from "../protocol/read.ts";
import type { CallOptions, RedfishService } from "../protocol/service.ts";

/**
 * Ends a session that an earlier process of ours recorded and could not end. Only if it is still our user's: the BMC may
 * have given the address to somebody else meanwhile.
 */
export async function endStaleSession(
  service: RedfishService,
  { uri, username }: { readonly uri: string; readonly username: string },
  options: CallOptions = {},
): Promise<Outcome<{ readonly ended: boolean }>> {
  const session = await service.get(uri, options);
  if (!session.ok) return session.failure.code === "NotFound" ? success({ ended: false }) : session;
  if (readString(session.value.body, "UserName") !== username) return success({ ended: false });
  const deleted = await service.delete(uri, options);
  return deleted.ok || deleted.failure.code === "NotFound" ? success({ ended: true }) : deleted;
}
