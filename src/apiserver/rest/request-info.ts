/** Reads what a request is about out of its method and URL, the way authorisation and routing both need it. */
import type { ApiRequest } from "../http/message.ts";

export interface ResourceRequest {
  readonly isResource: true;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for cluster-scoped requests and for lists over all namespaces. */
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

export interface PathRequest {
  readonly isResource: false;
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

export type RequestInfo = ResourceRequest | PathRequest;

const VERBS: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(["status", "finalize"]);

export function requestInfo({ method, path, query }: Pick<ApiRequest, "method" | "path" | "query">): RequestInfo {
  const parts = path.split("/").slice(1);
  if (parts.at(-1) === "") parts.pop();
  const rest = groupVersion(parts);
  if (!rest || rest.parts.length === 0) return { isResource: false, verb: method.toLowerCase(), path };
  const target = targetOf(rest.parts);
  const verb = verbOf(method, target.name, query);
  return { isResource: true, verb, group: rest.group, version: rest.version, ...target };
}

function groupVersion(parts: string[]): { group: string; version: string; parts: string[] } | undefined {
  if (parts[0] === "api" && parts[1]) return { group: "", version: parts[1], parts: parts.slice(2) };
  if (parts[0] === "apis" && parts[1] && parts[2]) {
    return { group: parts[1], version: parts[2], parts: parts.slice(3) };
  }
  return undefined;
}

type Target = Pick<ResourceRequest, "namespace" | "resource" | "name" | "subresource">;

function targetOf(parts: readonly string[]): Target {
  const [first = "", second = "", third = "", ...more] = parts;
  if (first === "namespaces" && third !== "" && !(NAMESPACE_SUBRESOURCES.has(third) && more.length === 0)) {
    return { namespace: second, resource: third, name: more[0] ?? "", subresource: more.slice(1).join("/") };
  }
  const namespace = first === "namespaces" ? second : "";
  return { namespace, resource: first, name: second, subresource: [third, ...more].filter(Boolean).join("/") };
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  const verb = VERBS[method] ?? "";
  if (name !== "") return verb;
  if (verb === "get") return isWatch(query) ? "watch" : "list";
  return verb === "delete" ? "deletecollection" : verb;
}

function isWatch(query: URLSearchParams): boolean {
  const watch = query.get("watch");
  return watch !== null && watch !== "false" && watch !== "0";
}
