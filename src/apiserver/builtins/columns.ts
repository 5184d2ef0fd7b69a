/** The columns of the built-in kinds in `kubectl get`. They carry no descriptions: nothing shows them. */
import type { KubeObject, OwnerReference } from "#kinds";
import type { CellValue, Column } from "../table/column.ts";
import { age } from "../table/human-duration.ts";
import { nameColumn } from "../table/name-column.ts";

type Cell = Column["cell"];
/** A loosely typed look into an object: columns print whatever they find. */
// biome-ignore lint/suspicious/noExplicitAny: columns read free-form objects and only ever print
const loose = (object: KubeObject): any => object;

function column(name: string, cell: Cell, priority = 0): Column {
  return { name, type: "string", format: "", description: "", priority, cell };
}

export const ageColumn = column("Age", ({ metadata }, now) => age(metadata.creationTimestamp, now));
const createdAt: Column = {
  ...column("Created At", ({ metadata }) => metadata.creationTimestamp ?? ""),
  type: "date",
};
const size = (value: unknown): number => Object.keys((value as object | undefined) ?? {}).length;
const orNone = (text: string | undefined): string => text || "<none>";

const configMaps = [nameColumn, column("Data", (o) => size(loose(o).data) + size(loose(o).binaryData)), ageColumn];
const secrets = [
  nameColumn,
  column("Type", (o) => loose(o).type ?? ""),
  column("Data", (o) => size(loose(o).data)),
  ageColumn,
];
const namespaces = [nameColumn, column("Status", (o) => loose(o).status?.phase ?? ""), ageColumn];

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
  column("Status", nodeStatus),
  column("Roles", nodeRoles),
  ageColumn,
  column("Version", (o) => loose(o).status?.nodeInfo?.kubeletVersion ?? ""),
  column("Internal-IP", nodeAddress("InternalIP"), 1),
  column("External-IP", nodeAddress("ExternalIP"), 1),
  column("OS-Image", nodeInfo("osImage"), 1),
  column("Kernel-Version", nodeInfo("kernelVersion"), 1),
  column("Container-Runtime", nodeInfo("containerRuntimeVersion"), 1),
];

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
  column("Last Seen", lastSeen),
  column("Type", (o) => loose(o).type ?? ""),
  column("Reason", (o) => loose(o).reason ?? ""),
  column("Object", (o) => `${eventObject(o).kind?.toLowerCase() ?? ""}/${eventObject(o).name ?? ""}`),
  column("Subobject", (o) => eventObject(o).fieldPath ?? "", 1),
  column("Source", eventSource, 1),
  column("Message", (o) => (loose(o).message ?? loose(o).note ?? "").trim()),
  column("First Seen", firstSeen, 1),
  column("Count", (o) => loose(o).series?.count ?? loose(o).count ?? loose(o).deprecatedCount ?? 1, 1),
  { ...nameColumn, priority: 1 },
];

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
  column("Type", (o) => loose(o).spec?.type ?? "ClusterIP"),
  column("Cluster-IP", (o) => orNone(loose(o).spec?.clusterIP)),
  column("External-IP", (o) => orNone(loose(o).spec?.externalIPs?.join(","))),
  column("Port(s)", servicePorts),
  ageColumn,
  column("Selector", (o) => selectorText(loose(o).spec?.selector), 1),
];

const atMost = (items: readonly string[], max = 3): string =>
  items.length > max ? `${items.slice(0, max).join(",")} + ${items.length - max} more...` : items.join(",");
const endpointSlices = [
  nameColumn,
  column("AddressType", (o) => loose(o).addressType ?? ""),
  column(
    "Ports",
    (o) => atMost((loose(o).ports ?? []).map((p: { port?: number }) => String(p.port ?? "*"))) || "<unset>",
  ),
  column(
    "Endpoints",
    (o) => atMost((loose(o).endpoints ?? []).flatMap((e: { addresses: string[] }) => e.addresses)) || "<unset>",
  ),
  ageColumn,
];

const leases = [nameColumn, column("Holder", (o) => loose(o).spec?.holderIdentity ?? ""), ageColumn];

function subjects(kind: string): (o: KubeObject) => CellValue {
  return (o) =>
    (loose(o).subjects ?? [])
      .filter((s: { kind: string }) => s.kind === kind)
      .map((s: { namespace?: string; name: string }) =>
        kind === "ServiceAccount" ? `${s.namespace ?? ""}/${s.name}` : s.name,
      )
      .join(", ");
}
const bindings: Column[] = [
  nameColumn,
  column("Role", (o) => `${loose(o).roleRef?.kind}/${loose(o).roleRef?.name}`),
  ageColumn,
  column("Users", subjects("User"), 1),
  column("Groups", subjects("Group"), 1),
  column("ServiceAccounts", subjects("ServiceAccount"), 1),
];
const webhooks: Column[] = [
  nameColumn,
  {
    ...column("Webhooks", (o) => (loose(o).webhooks ?? []).length),
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
  "rbac.authorization.k8s.io/rolebindings": bindings,
  "rbac.authorization.k8s.io/clusterrolebindings": bindings,
  "apiextensions.k8s.io/customresourcedefinitions": [nameColumn, createdAt],
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": webhooks,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": webhooks,
};
