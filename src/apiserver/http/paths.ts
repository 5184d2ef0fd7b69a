/** The paths that are not about resources: health, version, discovery, OpenAPI, metrics. */
import { aggregated, groupList, legacyVersions, oneGroup, resourceList } from "../discovery/discovery.ts";
import { VERSION } from "../discovery/version.ts";
import type { OpenApi } from "../openapi/openapi.ts";
import type { Registry } from "../rest/registry.ts";
import type { Store } from "../store/index.ts";
import { type ApiRequest, type ApiResponse, json, text } from "./message.ts";
import { type Accepted, negotiate } from "./negotiate.ts";
import { StatusError } from "./status-error.ts";

export interface PathOptions {
  readonly registry: Registry;
  readonly store: Store;
  readonly openApi: OpenApi;
  readonly address: () => string;
}

export function createPaths(options: PathOptions): (request: ApiRequest) => ApiResponse | undefined {
  return (request) => {
    const path = request.path.replace(/\/+$/, "") || "/";
    if (request.method !== "GET" && request.method !== "HEAD") return undefined;
    return health(path, request, options) ?? discovery(path, request, options) ?? openApi(path, options);
  };
}

const HEALTH: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz"]);

function health(path: string, { query }: ApiRequest, { store }: PathOptions): ApiResponse | undefined {
  if (path === "/version") return json(200, VERSION);
  const [, name = "", check = ""] = path.split("/");
  if (!HEALTH.has(`/${name}`)) return undefined;
  const checks = { ping: true, storage: name === "livez" || store.failure === undefined };
  if (check !== "" && !(check in checks)) return undefined;
  const failed = Object.entries(checks).filter(([c, ok]) => !ok && (check === "" || check === c));
  if (failed.length === 0 && !query.has("verbose")) return text(200, "ok");
  const lines = Object.entries(checks).map(([c, ok]) =>
    ok ? `[+]${c} ok` : `[-]${c} failed: ${store.failure?.message}`,
  );
  const verdict = failed.length === 0 ? `${name} check passed` : `${name} check failed`;
  return text(failed.length === 0 ? 200 : 500, `${lines.join("\n")}\n${verdict}\n`);
}

function discovery(path: string, { headers }: ApiRequest, { registry, address }: PathOptions): ApiResponse | undefined {
  const [, root, group, version] = path.split("/");
  if (root !== "api" && root !== "apis") return undefined;
  if (group === undefined) return rootDiscovery(root === "api", headers.accept, registry, address());
  if (root === "api") return found(resourceList(registry, "", group));
  return found(version === undefined ? oneGroup(registry, group) : resourceList(registry, group, version));
}

function found(value: unknown): ApiResponse | undefined {
  return value === undefined ? undefined : json(200, value);
}

const AGGREGATED: ReadonlySet<string> = new Set(["v2", "v2beta1"]);

function isAggregated({ parameters }: Accepted): boolean {
  return (
    parameters.g === "apidiscovery.k8s.io" &&
    AGGREGATED.has(parameters.v ?? "") &&
    parameters.as === "APIGroupDiscoveryList"
  );
}

function rootDiscovery(
  isLegacy: boolean,
  accept: string | undefined,
  registry: Registry,
  address: string,
): ApiResponse {
  const accepted = negotiate(accept, (clause) => clause.parameters.as === undefined || isAggregated(clause));
  if (!isAggregated(accepted)) return json(200, isLegacy ? legacyVersions(address) : groupList(registry));
  const version = accepted.parameters.v ?? "v2";
  const answer = json(200, aggregated(registry, version, isLegacy));
  answer.headers["content-type"] = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
  answer.headers.vary = "Accept";
  return answer;
}

function openApi(path: string, { openApi: api }: PathOptions): ApiResponse | undefined {
  if (path === "/openapi/v3") return json(200, api.index());
  if (!path.startsWith("/openapi/v3/")) return undefined;
  const document = api.document(path.slice("/openapi/v3/".length));
  if (!document) throw new StatusError(404, "NotFound", "the server could not find the requested resource", {});
  const headers = {
    "content-type": "application/json",
    etag: `"${document.hash}"`,
    "cache-control": "public, immutable",
  };
  return { status: 200, headers, body: document.json };
}
