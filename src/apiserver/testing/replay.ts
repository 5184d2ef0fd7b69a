/** The requests that both API servers must answer alike, and what of an answer may differ. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { WIDGET_CRD } from "./test-api.ts";

export interface Replayed {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
}

const MERGE = "application/merge-patch+json";
const JSON_PATCH = "application/json-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const APPLY = "application/apply-patch+yaml";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

interface Sample {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly fields: JsonObject;
  readonly change: JsonObject;
  readonly bad: readonly JsonObject[];
}

/** A namespace of its own for each run: without its controllers a real server cannot delete one. */
export const NAMESPACE = `replay-${process.pid}`;
const ns = (root: string, plural: string): string => `${root}/namespaces/${NAMESPACE}/${plural}`;
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const rule = { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] };
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };

export const SAMPLES: readonly Sample[] = [
  {
    path: ns("/api/v1", "configmaps"),
    apiVersion: "v1",
    kind: "ConfigMap",
    fields: { data: { a: "1", b: "2" } },
    change: { data: { a: "9" } },
    bad: [
      { data: { "a/b": "1" } },
      { data: { a: 1 } },
      { data: [] },
      { binaryData: { a: "!" } },
      { data: { x: "1" }, binaryData: { x: "YQ==" } },
    ],
  },
  {
    path: ns("/api/v1", "secrets"),
    apiVersion: "v1",
    kind: "Secret",
    fields: { stringData: { p: "q" } },
    change: { data: { z: "eg==" } },
    bad: [{ data: { "a b": "YQ==" } }, { data: { a: 5 } }, { type: 7 }],
  },
  {
    path: ns("/api/v1", "serviceaccounts"),
    apiVersion: "v1",
    kind: "ServiceAccount",
    fields: { automountServiceAccountToken: false },
    change: { automountServiceAccountToken: true },
    bad: [{ automountServiceAccountToken: "yes" }, { secrets: {} }],
  },
  {
    path: ns("/apis/coordination.k8s.io/v1", "leases"),
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    fields: { spec: { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z" } },
    change: { spec: { holderIdentity: "you" } },
    bad: [{ spec: { leaseDurationSeconds: "x" } }, { spec: { renewTime: "yesterday" } }, { spec: [] }],
  },
  {
    path: ns(RBAC, "roles"),
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    fields: { rules: [rule] },
    change: { rules: [rule, { ...rule, verbs: ["list"] }] },
    bad: [{ rules: [{ apiGroups: [""], resources: ["x"] }] }, { rules: [{ verbs: ["get"] }] }, { rules: "x" }],
  },
  {
    path: ns(RBAC, "rolebindings"),
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    fields: { roleRef, subjects: [{ kind: "User", name: "jane" }] },
    change: { subjects: [{ kind: "User", name: "joe", apiGroup: "rbac.authorization.k8s.io" }] },
    bad: [
      { roleRef: { ...roleRef, kind: "Robot" } },
      { roleRef, subjects: [{ kind: "Robot", name: "x" }] },
      { roleRef, subjects: [{ kind: "ServiceAccount", name: "x" }] },
    ],
  },
  {
    path: ns("/apis/example.com/v1", "widgets"),
    apiVersion: "example.com/v1",
    kind: "Widget",
    fields: { spec: { size: 3 } },
    change: { spec: { size: 4 } },
    bad: [
      { spec: { size: 0 } },
      { spec: { size: "3" } },
      { spec: [] },
      { spec: { note: "bad" } },
      { spec: { size: 1.5 } },
      { status: { phase: 3 } },
    ],
  },
];

export const PREPARATION: readonly Replayed[] = [
  { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: NAMESPACE } } },
  { method: "POST", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body: WIDGET_CRD },
];

/** Good and bad requests about one kind, in an order that makes sense. */
export function requestsFor({ path, apiVersion, kind, fields, change, bad }: Sample): Replayed[] {
  const object = (name: string, own: JsonObject = fields, metadata: object = {}): object => ({
    apiVersion,
    kind,
    metadata: { name, ...metadata },
    ...own,
  });
  const post = (body: unknown, query = "", type?: string): Replayed => ({
    method: "POST",
    path: path + query,
    body,
    ...(type && { type }),
  });
  const patch = (name: string, type: string, body: unknown, query = ""): Replayed => ({
    method: "PATCH",
    path: `${path}/${name}${query}`,
    body,
    type,
  });
  const get = (suffix: string, accept?: string): Replayed => ({
    method: "GET",
    path: path + suffix,
    ...(accept && { accept }),
  });
  const remove = (name: string, body?: unknown, query = ""): Replayed => ({
    method: "DELETE",
    path: `${path}/${name}${query}`,
    ...(body !== undefined && { body }),
  });
  return [
    post(object("a", fields, { labels: { app: "x" }, annotations: { note: "y" } })),
    post(object("a")),
    post(object("dry"), "?dryRun=All"),
    get("/dry"),
    post(object("b", { ...fields, unknown: 1 }), "?fieldValidation=Strict"),
    post(object("b", { ...fields, unknown: 1 }), "?fieldValidation=Ignore"),
    post(object("c"), "?fieldValidation=Nope"),
    post(object("c"), "?dryRun=Nope"),
    post(object("c"), `?fieldManager=${"x".repeat(200)}`),
    ...["A", "a_b", "-a", "a/b", "x".repeat(260), "a..b"].map((name) => post(object(name))),
    // Upstream adds to a missing name that rules of the schema were not checked; see the embedded API's page of differences.
    ...(kind === "Widget" ? [] : [post({ apiVersion, kind, metadata: {} })]),
    post(object("c", fields, { namespace: "other" })),
    post(object("c", fields, { resourceVersion: "5" })),
    post(object("c", fields, { labels: { "-bad": "x" } })),
    post(object("c", fields, { labels: { ok: "not ok" } })),
    post(object("c", fields, { annotations: { "a b": "x" } })),
    post(object("c", fields, { finalizers: ["bad name"] })),
    post(object("c", fields, { ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] })),
    post(object("c", fields, { labels: "x" })),
    post({ ...object("c"), kind: "Other" }),
    post({ ...object("c"), apiVersion: "other/v9" }),
    post("{"),
    post(""),
    post("[]"),
    post("null"),
    post(object("c"), "", "text/plain"),
    ...bad.map((own) => post(object("bad", own))),
    get(""),
    get("?limit=1"),
    get("?labelSelector=app%3Dx"),
    get("?labelSelector=app%20notin%20(x)"),
    get("?labelSelector=%3D"),
    get("?fieldSelector=metadata.name%3Da"),
    get("?fieldSelector=zork%3Da"),
    get("?resourceVersion=nope"),
    get("?resourceVersionMatch=Exact"),
    get("/a"),
    get("/a", TABLE),
    get("/a", METADATA),
    get("/a", "application/yaml"),
    get("", TABLE),
    get("/nope"),
    get("/a/nope"),
    patch("a", MERGE, change),
    patch("a", MERGE, { metadata: { labels: { more: "1" } } }),
    patch("a", MERGE, { metadata: { labels: { more: null } } }),
    patch("a", MERGE, { metadata: { name: "other" } }),
    patch("a", MERGE, { metadata: { uid: "other" } }),
    patch("a", MERGE, { metadata: { resourceVersion: "1" } }),
    patch("a", MERGE, "["),
    patch("a", MERGE, { unknown: { x: 1 } }, "?fieldValidation=Strict"),
    patch("a", JSON_PATCH, [{ op: "add", path: "/metadata/labels/json", value: "1" }]),
    patch("a", JSON_PATCH, [{ op: "test", path: "/metadata/labels/json", value: "2" }]),
    patch("a", JSON_PATCH, [{ op: "remove", path: "/nope" }]),
    patch("a", JSON_PATCH, [{ op: "zork", path: "/a" }]),
    patch("a", JSON_PATCH, { op: "add" }),
    patch("a", STRATEGIC, { metadata: { annotations: { strategic: "1" } } }),
    patch("a", "application/json", {}),
    patch("nope", MERGE, {}),
    patch("a", APPLY, object("a", change), "?fieldManager=applier"),
    patch("a", APPLY, object("a", change), "?fieldManager=applier&force=true"),
    patch("a", APPLY, object("a", { ...change, unknown: 1 }), "?fieldManager=applier&force=true"),
    patch("a", APPLY, object("a", {}), "?fieldManager=applier"),
    patch("a", APPLY, object("a", change)),
    patch("fresh", APPLY, object("fresh"), "?fieldManager=applier"),
    patch("fresh", APPLY, object("other"), "?fieldManager=applier"),
    { method: "PUT", path: `${path}/nope`, body: object("nope") },
    { method: "PUT", path: `${path}/a`, body: object("other") },
    { method: "PUT", path: `${path}/a`, body: object("a", fields, { resourceVersion: "1" }) },
    { method: "PUT", path: `${path}/a`, body: object("a", fields, { resourceVersion: "x" }) },
    { method: "PUT", path, body: object("a") },
    { method: "POST", path: `${path}/a`, body: object("a") },
    remove("a", { preconditions: { resourceVersion: "1" } }),
    remove("a", { propagationPolicy: "Sideways" }),
    remove("a", { kind: "Zork", apiVersion: "v1" }),
    remove("a", undefined, "?dryRun=All"),
    remove("fresh"),
    remove("fresh"),
    patch("a", MERGE, { metadata: { finalizers: ["example.com/hold"] } }),
    remove("a"),
    patch("a", MERGE, { metadata: { finalizers: ["example.com/hold", "example.com/more"] } }),
    patch("a", MERGE, { metadata: { finalizers: null } }),
    get("/a"),
    { method: "DELETE", path },
  ];
}

const PER_SERVER: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "deletionTimestamp",
  "time",
  "continue",
  "storageVersionHash",
]);
const ANY_UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** An answer without what only one server can know. */
export function comparableAnswer(value: Json): Json {
  if (typeof value === "string")
    return value
      .replace(ANY_UID, "<uid>")
      .replace(/record \(\d+\)/g, "record (<rv>)")
      .replace(/current: \d+/, "current: <rv>")
      .replace(/(patch: )?Invalid value: "\{.*\}": strict/, "$1Invalid value: <patched>: strict")
      .replace(/^\d+(s|m\d*s?)$/, "<age>")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<time>");
  if (Array.isArray(value)) return value.map(comparableAnswer);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value)
    .filter(([key, item]) => !PER_SERVER.has(key) || typeof item !== "string")
    .map(([key, item]): [string, Json] => [key, key === "managedFields" ? sortManagers(item) : comparableAnswer(item)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sortManagers(managers: Json): Json {
  if (!Array.isArray(managers)) return managers;
  return managers.map(comparableAnswer).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
