/** The 403 of someone who may not do something. */
import type { UserInfo } from "../http/message.ts";
import { StatusError } from "../http/status-error.ts";
import type { RequestInfo } from "../rest/request-info.ts";

export function accessDenied({ username }: UserInfo, info: RequestInfo): StatusError {
  const user = `User ${JSON.stringify(username)}`;
  if (!info.isResource) {
    const message = `forbidden: ${user} cannot ${info.verb} path ${JSON.stringify(info.path)}`;
    return new StatusError(403, "Forbidden", message, {});
  }
  const { verb, group, resource, subresource, namespace, name } = info;
  const what = JSON.stringify(subresource ? `${resource}/${subresource}` : resource);
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : "at the cluster scope";
  const about = `${group ? `${resource}.${group}` : resource}${name ? ` ${JSON.stringify(name)}` : ""}`;
  const message = `${about} is forbidden: ${user} cannot ${verb} resource ${what} in API group ${JSON.stringify(group)} ${where}`;
  return new StatusError(403, "Forbidden", message, {
    ...(name && { name }),
    ...(group && { group }),
    kind: resource,
  });
}
