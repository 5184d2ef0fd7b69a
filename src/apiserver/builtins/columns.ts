/** The columns of the built-in kinds in `kubectl get`. Descriptions come from the kinds' own schemas. */
import type { KubeObject, OwnerReference } from "#kinds";
import type { CellValue, Column } from "../table/column.ts";
import { age } from "../table/human-duration.ts";
import { nameColumn } from "../table/name-column.ts";
import { describeField } from "./schemas.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const CREATED = describeField(META, "creationTimestamp");

type Cell = Column["cell"];
/** A loosely typed look into an object: columns print whatever they find. */
// biome-ignore lint/suspicious/noExplicitAny: columns read free-form objects and only ever print
const loose = (object: KubeObject): any => object;

function column(name: string, description: string, cell: Cell, priority = 0): Column {
  return { name, type: "string", format: "", description, priority, cell };
}

export const ageColumn = column("Age", CREATED, ({ metadata }, now) => age(metadata.creationTimestamp, now));
const createdAt: Column = {
  ...column("Created At", CREATED, ({ metadata }) => metadata.creationTimestamp ?? ""),
  type: "date",
};
const size = (value: unknown): number => Object.keys((value as object | undefined) ?? {}).length;
const orNone = (text: string | undefined): string => text || "<none>";

const configMaps = [
  nameColumn,
  column(
    "Data",
    describeField("io.k8s.api.core.v1.ConfigMap", "data"),
    (o) => size(loose(o).data) + size(loose(o).binaryData),
  ),
  ageColumn,
];
const secrets = [
  nameColumn,
  column("Type", describeField("io.k8s.api.core.v1.Secret", "type"), (o) => loose(o).type ?? ""),
  column("Data", describeField("io.k8s.api.core.v1.Secret", "data"), (o) => size(loose(o).data)),
  ageColumn,
];
const namespaces = [
  nameColumn,
  column("Status", "The status of the namespace", (o) => loose(o).status?.phase ?? ""),
  ageColumn,
];

const NODE = "io.k8s.api.core.v1.NodeStatus";
const SYSTEM = "io.k8s.api.core.v1.NodeSystemInfo";
const ROLE_LABEL = "node-role.kubernetes.io/";

function nodeStatus(object: KubeObject): string {
  const { status, spec } = loose(object);
  const ready = status?.conditions?.find((c: { type: string }) => c.type === "Ready");
  const words = [ready ? (ready.status === "True" ? "Ready" : "NotReady") : "Unknown"];
  if (spec?.unschedulable) words.push("SchedulingDisabled");
  return words.join(",");
}

function nodeRoles({ metadata }: KubeObject): string {
  const labels = Object.keys(metadata.labels ?? {}).filter((l) => l.startsWith(ROLE_LABEL));
  return orNone(
    labels
      .map((l) => l.slice(ROLE_LABEL.length))
      .sort()
      .join(","),
  );
}

function nodeAddress(type: string): Cell {
  return (o) => orNone(loose(o).status?.addresses?.find((a: { type: string }) => a.type === type)?.address);
}

const nodeInfo =
  (field: string): Cell =>
  (o) =>
    loose(o).status?.nodeInfo?.[field] || "<unknown>";
const nodes = [
  nameColumn,
  column("Status", "The status of the node", nodeStatus),
  column("Roles", "The roles of the node", nodeRoles),
  ageColumn,
  column("Version", describeField(SYSTEM, "kubeletVersion"), (o) => loose(o).status?.nodeInfo?.kubeletVersion ?? ""),
  column("Internal-IP", describeField(NODE, "addresses"), nodeAddress("InternalIP"), 1),
  column("External-IP", describeField(NODE, "addresses"), nodeAddress("ExternalIP"), 1),
  column("OS-Image", describeField(SYSTEM, "osImage"), nodeInfo("osImage"), 1),
  column("Kernel-Version", describeField(SYSTEM, "kernelVersion"), nodeInfo("kernelVersion"), 1),
  column("Container-Runtime", describeField(SYSTEM, "containerRuntimeVersion"), nodeInfo("containerRuntimeVersion"), 1),
];

const EVENT = "io.k8s.api.core.v1.Event";
const lastSeen: Cell = (o, now) => {
  const e = loose(o);
  return age(e.series?.lastObservedTime ?? e.lastTimestamp ?? e.deprecatedLastTimestamp ?? e.eventTime, now);
};
const firstSeen: Cell = (o, now) => {
  const e = loose(o);
  return age(e.firstTimestamp ?? e.deprecatedFirstTimestamp ?? e.eventTime, now);
};
const eventObject = (o: KubeObject): OwnerReference & { fieldPath?: string } =>
  loose(o).involvedObject ?? loose(o).regarding ?? {};
const eventSource: Cell = (o) => {
  const e = loose(o);
  const source = e.source ?? e.deprecatedSource ?? {};
  return [source.component || e.reportingComponent || e.reportingController || "", source.host]
    .filter(Boolean)
    .join(", ");
};
const events = [
  column("Last Seen", "The time at which the most recent occurrence of this event was recorded.", lastSeen),
  column("Type", describeField(EVENT, "type"), (o) => loose(o).type ?? ""),
  column("Reason", describeField(EVENT, "reason"), (o) => loose(o).reason ?? ""),
  column(
    "Object",
    describeField(EVENT, "involvedObject"),
    (o) => `${eventObject(o).kind?.toLowerCase() ?? ""}/${eventObject(o).name ?? ""}`,
  ),
  column(
    "Subobject",
    describeField("io.k8s.api.core.v1.ObjectReference", "fieldPath"),
    (o) => eventObject(o).fieldPath ?? "",
    1,
  ),
  column("Source", describeField(EVENT, "source"), eventSource, 1),
  column("Message", describeField(EVENT, "message"), (o) => (loose(o).message ?? loose(o).note ?? "").trim()),
  column("First Seen", describeField(EVENT, "firstTimestamp"), firstSeen, 1),
  column(
    "Count",
    describeField(EVENT, "count"),
    (o) => loose(o).series?.count ?? loose(o).count ?? loose(o).deprecatedCount ?? 1,
    1,
  ),
  { ...nameColumn, priority: 1 },
];

const SERVICE = "io.k8s.api.core.v1.ServiceSpec";
function servicePorts(o: KubeObject): string {
  const ports: { port: number; nodePort?: number; protocol?: string }[] = loose(o).spec?.ports ?? [];
  return orNone(ports.map((p) => `${p.port}${p.nodePort ? `:${p.nodePort}` : ""}/${p.protocol ?? "TCP"}`).join(","));
}
const selectorText = (selector: Record<string, string> | undefined): string =>
  orNone(
    Object.entries(selector ?? {})
      .map(([k, v]) => `${k}=${v}`)
      .join(","),
  );
const services = [
  nameColumn,
  column("Type", describeField(SERVICE, "type"), (o) => loose(o).spec?.type ?? "ClusterIP"),
  column("Cluster-IP", describeField(SERVICE, "clusterIP"), (o) => orNone(loose(o).spec?.clusterIP)),
  column("External-IP", describeField(SERVICE, "externalIPs"), (o) => orNone(loose(o).spec?.externalIPs?.join(","))),
  column("Port(s)", describeField(SERVICE, "ports"), servicePorts),
  ageColumn,
  column("Selector", describeField(SERVICE, "selector"), (o) => selectorText(loose(o).spec?.selector), 1),
];

const SLICE = "io.k8s.api.discovery.v1.EndpointSlice";
const atMost = (items: readonly string[], max = 3): string =>
  items.length > max ? `${items.slice(0, max).join(",")} + ${items.length - max} more...` : items.join(",");
const endpointSlices = [
  nameColumn,
  column("AddressType", describeField(SLICE, "addressType"), (o) => loose(o).addressType ?? ""),
  column(
    "Ports",
    describeField(SLICE, "ports"),
    (o) => atMost((loose(o).ports ?? []).map((p: { port?: number }) => String(p.port ?? "*"))) || "<unset>",
  ),
  column(
    "Endpoints",
    describeField(SLICE, "endpoints"),
    (o) => atMost((loose(o).endpoints ?? []).flatMap((e: { addresses: string[] }) => e.addresses)) || "<unset>",
  ),
  ageColumn,
];

const leases = [
  nameColumn,
  column(
    "Holder",
    describeField("io.k8s.api.coordination.v1.LeaseSpec", "holderIdentity"),
    (o) => loose(o).spec?.holderIdentity ?? "",
  ),
  ageColumn,
];

function subjects(kind: string): (o: KubeObject) => CellValue {
  return (o) =>
    (loose(o).subjects ?? [])
      .filter((s: { kind: string }) => s.kind === kind)
      .map((s: { namespace?: string; name: string }) =>
        kind === "ServiceAccount" ? `${s.namespace ?? ""}/${s.name}` : s.name,
      )
      .join(", ");
}
const bindings = (kind: "RoleBinding" | "ClusterRoleBinding"): Column[] => {
  const what = kind === "RoleBinding" ? "roleBinding" : "clusterRoleBinding";
  return [
    nameColumn,
    column(
      "Role",
      describeField(`io.k8s.api.rbac.v1.${kind}`, "roleRef").replace(" This field is immutable.", ""),
      (o) => `${loose(o).roleRef?.kind}/${loose(o).roleRef?.name}`,
    ),
    ageColumn,
    column("Users", `Users in the ${what}`, subjects("User"), 1),
    column("Groups", `Groups in the ${what}`, subjects("Group"), 1),
    column("ServiceAccounts", `ServiceAccounts in the ${what}`, subjects("ServiceAccount"), 1),
  ];
};
const webhooks: Column[] = [
  nameColumn,
  {
    ...column(
      "Webhooks",
      "Webhooks indicates the number of webhooks registered in this configuration",
      (o) => (loose(o).webhooks ?? []).length,
    ),
    type: "integer",
  },
  ageColumn,
];

/** Columns by storage name. */
export const builtInColumns: Readonly<Record<string, readonly Column[]>> = {
  "core/configmaps": configMaps,
  "core/secrets": secrets,
  "core/serviceaccounts": [nameColumn, ageColumn],
  "core/namespaces": namespaces,
  "core/nodes": nodes,
  "core/events": events,
  "core/services": services,
  "discovery.k8s.io/endpointslices": endpointSlices,
  "coordination.k8s.io/leases": leases,
  "rbac.authorization.k8s.io/roles": [nameColumn, createdAt],
  "rbac.authorization.k8s.io/clusterroles": [nameColumn, createdAt],
  "rbac.authorization.k8s.io/rolebindings": bindings("RoleBinding"),
  "rbac.authorization.k8s.io/clusterrolebindings": bindings("ClusterRoleBinding"),
  "apiextensions.k8s.io/customresourcedefinitions": [nameColumn, createdAt],
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": webhooks,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": webhooks,
};
