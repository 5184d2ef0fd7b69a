/** The operations of a resource in OpenAPI: enough for clients that look up verbs, parameters and kinds there. */
import type { Resource } from "../rest/resource.ts";

const query = (name: string, type = "string"): unknown => ({ name, in: "query", schema: { type, uniqueItems: true } });
const inPath = (name: string): unknown => ({
  name,
  in: "path",
  required: true,
  schema: { type: "string", uniqueItems: true },
});

const WRITE = [query("dryRun"), query("fieldManager"), query("fieldValidation")];
const LIST = [
  query("allowWatchBookmarks", "boolean"),
  query("continue"),
  query("fieldSelector"),
  query("labelSelector"),
  query("limit", "integer"),
  query("resourceVersion"),
  query("resourceVersionMatch"),
  query("sendInitialEvents", "boolean"),
  query("timeoutSeconds", "integer"),
  query("watch", "boolean"),
];

const PARAMETERS: Readonly<Record<string, readonly unknown[]>> = {
  list: LIST,
  deletecollection: LIST,
  create: WRITE,
  update: WRITE,
  patch: [...WRITE, query("force", "boolean")],
  delete: [query("dryRun"), query("gracePeriodSeconds", "integer"), query("propagationPolicy")],
  get: [],
};
const METHODS: Readonly<Record<string, string>> = {
  list: "get",
  get: "get",
  create: "post",
  update: "put",
  patch: "patch",
  delete: "delete",
  deletecollection: "delete",
};
const ACTIONS: Readonly<Record<string, string>> = { create: "post", update: "put" };

export function pathsOf(resource: Resource, definition: string): Record<string, unknown> {
  const { group, version, plural, scope } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const namespaced = scope === "Namespaced";
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const namespace = namespaced ? [inPath("namespace")] : [];
  const paths: Record<string, unknown> = {
    [collection]: item(resource, definition, ["list", "create", "deletecollection"], namespace),
    [`${collection}/{name}`]: item(
      resource,
      definition,
      ["get", "update", "patch", "delete"],
      [inPath("name"), ...namespace],
    ),
  };
  if (namespaced) paths[`${root}/${plural}`] = item(resource, definition, ["list"], []);
  if (resource.subresources.has("status")) {
    paths[`${collection}/{name}/status`] = item(
      resource,
      definition,
      ["get", "update", "patch"],
      [inPath("name"), ...namespace],
    );
  }
  return paths;
}

function item(
  resource: Resource,
  definition: string,
  verbs: readonly string[],
  parameters: readonly unknown[],
): unknown {
  const served: readonly string[] = resource.verbs;
  const operations = verbs
    .filter((v) => served.includes(v))
    .map((verb) => [METHODS[verb], operation(resource, definition, verb)]);
  return { ...Object.fromEntries(operations), parameters: [...parameters, query("pretty")] };
}

function operation({ group, version, kind, plural }: Resource, definition: string, verb: string): unknown {
  const schema = { $ref: `#/components/schemas/${definition}${verb === "list" ? "List" : ""}` };
  const hasBody = verb === "create" || verb === "update";
  return {
    description: `${verb} ${plural}`,
    operationId: `${verb}_${group || "core"}_${version}_${kind}`,
    parameters: PARAMETERS[verb],
    ...(hasBody && { requestBody: { content: { "*/*": { schema } }, required: true } }),
    ...(verb === "patch" && { requestBody: PATCH_BODY }),
    responses: {
      200: { description: "OK", content: { "application/json": { schema } } },
      401: { description: "Unauthorized" },
    },
    "x-kubernetes-action": ACTIONS[verb] ?? verb,
    "x-kubernetes-group-version-kind": { group, version, kind },
  };
}

const PATCH_SCHEMA = { schema: { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Patch" } };
const PATCH_BODY = {
  content: {
    "application/apply-patch+yaml": PATCH_SCHEMA,
    "application/json-patch+json": PATCH_SCHEMA,
    "application/merge-patch+json": PATCH_SCHEMA,
  },
  required: true,
};
