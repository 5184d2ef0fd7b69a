/** The hosted kinds of the core group, and Events under their second name. */
import type { KubeObject } from "#kinds";
import { type FieldError, forbidden, invalid, required } from "../field-error.ts";
import { labelName, pathSegmentName, serviceName, subdomainName } from "../rest/names.ts";
import type { Resource, Strategy } from "../rest/resource.ts";
import { equalJson } from "../schema/index.ts";
import { builtIn } from "./define.ts";
import { fieldsOf } from "./strategy.ts";

const NO_COLLECTION = ["create", "delete", "get", "list", "patch", "update", "watch"] as const;
const MAX_DATA_BYTES = 1024 * 1024;
const DATA_KEY = /^[-._a-zA-Z0-9]+$/;

interface Data {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
  stringData?: Record<string, string>;
  immutable?: boolean;
  type?: string;
}

function keyErrors(map: Record<string, string> | undefined, field: string): FieldError[] {
  const text =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
  return Object.keys(map ?? {})
    .filter((key) => !DATA_KEY.test(key) || key.length > 253)
    .map((key) => invalid(`${field}[${key}]`, key, text));
}

function sizeOf(map: Record<string, string> | undefined, decode: boolean): number {
  return Object.values(map ?? {}).reduce(
    (sum, v) => sum + (decode ? Buffer.from(v, "base64").length : Buffer.byteLength(v)),
    0,
  );
}

function immutableErrors(object: KubeObject, old: KubeObject | undefined): FieldError[] {
  const [now, before] = [fieldsOf<Data>(object), fieldsOf<Data>(old ?? object)];
  if (!old || !before.immutable) return [];
  const errors = now.immutable ? [] : [forbidden("immutable", "field is immutable when `immutable` is set")];
  for (const field of ["data", "binaryData"] as const) {
    if (!equalJson(now[field] ?? {}, before[field] ?? {})) {
      errors.push(forbidden(field, "field is immutable when `immutable` is set"));
    }
  }
  return errors;
}

const configMap: Partial<Strategy> = {
  validate: (object, old) => {
    const { data, binaryData } = fieldsOf<Data>(object);
    const size = sizeOf(data, false) + sizeOf(binaryData, true);
    return [
      ...immutableErrors(object, old),
      ...keyErrors(data, "data"),
      ...keyErrors(binaryData, "binaryData"),
      ...Object.keys(data ?? {})
        .filter((key) => binaryData && Object.hasOwn(binaryData, key))
        .map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
      ...(size > MAX_DATA_BYTES
        ? [
            {
              type: "FieldValueTooLong",
              field: "",
              detail: `may not be more than ${MAX_DATA_BYTES} bytes`,
            } as FieldError,
          ]
        : []),
    ];
  },
};

const secret: Partial<Strategy> = {
  applyDefaults: (object) => {
    const fields = fieldsOf<Data>(object);
    fields.type ||= "Opaque";
    if (fields.stringData) {
      const encoded = Object.entries(fields.stringData).map(([k, v]) => [k, Buffer.from(v).toString("base64")]);
      fields.data = { ...fields.data, ...Object.fromEntries(encoded) };
      delete fields.stringData;
    }
  },
  validate: (object, old) => {
    const { data, type } = fieldsOf<Data>(object);
    const before = old && fieldsOf<Data>(old).type;
    return [
      ...immutableErrors(object, old),
      ...(before !== undefined && before !== type ? [invalid("type", type, "field is immutable")] : []),
      ...keyErrors(data, "data"),
      ...(sizeOf(data, true) > MAX_DATA_BYTES
        ? [
            {
              type: "FieldValueTooLong",
              field: "data",
              detail: `may not be more than ${MAX_DATA_BYTES} bytes`,
            } as FieldError,
          ]
        : []),
    ];
  },
};

interface NamespaceFields {
  spec?: { finalizers?: string[] };
  status?: { phase?: string };
}

const namespace: Partial<Strategy> = {
  validateName: labelName,
  returnsDeleted: true,
  applyDefaults: (object) => {
    object.metadata.labels = { ...object.metadata.labels, "kubernetes.io/metadata.name": object.metadata.name ?? "" };
  },
  prepareForCreate: (object) => {
    const fields = fieldsOf<NamespaceFields>(object);
    fields.spec = { finalizers: ["kubernetes"] };
    fields.status = { phase: "Active" };
  },
  isHeld: (object) => (fieldsOf<NamespaceFields>(object).spec?.finalizers ?? []).length > 0,
  markDeleted: (object) => {
    fieldsOf<NamespaceFields>(object).status = { phase: "Terminating" };
  },
  prepareForUpdate: (object, old, { subresource }) => {
    const [fields, before] = [fieldsOf<NamespaceFields>(object), fieldsOf<NamespaceFields>(old)];
    if (subresource !== "finalize") fields.spec = before.spec ?? {};
    if (subresource !== "status") fields.status = before.status ?? {};
  },
};

const node: Partial<Strategy> = {
  prepareForCreate: (object) => {
    const fields = fieldsOf<{ spec?: unknown; status?: unknown }>(object);
    fields.spec ??= {};
    fields.status ??= {};
  },
};

interface ServiceFields {
  spec?: {
    type?: string;
    sessionAffinity?: string;
    ports?: { protocol?: string; port?: number; targetPort?: unknown }[];
  };
  status?: { loadBalancer?: unknown };
}

/** Services are plain objects here: nothing allocates addresses or ports for them. */
const service: Partial<Strategy> = {
  validateName: serviceName,
  returnsDeleted: true,
  createsOnUpdate: true,
  applyDefaults: (object) => {
    const fields = fieldsOf<ServiceFields>(object);
    fields.spec ??= {};
    const { spec } = fields;
    spec.type ??= "ClusterIP";
    spec.sessionAffinity ??= "None";
    for (const port of spec.ports ?? []) {
      port.protocol ??= "TCP";
      port.targetPort ??= port.port;
    }
  },
  prepareForCreate: (object) => {
    fieldsOf<ServiceFields>(object).status = { loadBalancer: {} };
  },
};

interface EventFields {
  involvedObject?: { namespace?: string };
  regarding?: { namespace?: string };
}

function eventErrors(object: KubeObject): FieldError[] {
  const { involvedObject, regarding } = fieldsOf<EventFields>(object);
  const about = involvedObject ?? regarding;
  if (!about) return [required("involvedObject")];
  const namespace = about.namespace || "default";
  if (namespace === object.metadata.namespace) return [];
  return [invalid("involvedObject.namespace", about.namespace ?? "", "does not match event.namespace")];
}

const event: Partial<Strategy> = {
  validateName: pathSegmentName,
  createsOnUpdate: true,
  validate: eventErrors,
};

// biome-ignore lint/suspicious/noExplicitAny: field selectors read free-form objects
const at = (read: (object: any) => unknown) => (object: KubeObject) => String(read(object) ?? "");

const eventLabels = {
  "involvedObject.kind": at((e) => (e.involvedObject ?? e.regarding)?.kind),
  "involvedObject.namespace": at((e) => (e.involvedObject ?? e.regarding)?.namespace),
  "involvedObject.name": at((e) => (e.involvedObject ?? e.regarding)?.name),
  "involvedObject.uid": at((e) => (e.involvedObject ?? e.regarding)?.uid),
  "involvedObject.apiVersion": at((e) => (e.involvedObject ?? e.regarding)?.apiVersion),
  "involvedObject.resourceVersion": at((e) => (e.involvedObject ?? e.regarding)?.resourceVersion),
  "involvedObject.fieldPath": at((e) => (e.involvedObject ?? e.regarding)?.fieldPath),
  reason: at((e) => e.reason),
  reportingComponent: at((e) => e.reportingComponent ?? e.reportingController),
  source: at((e) => (e.source ?? e.deprecatedSource)?.component ?? e.reportingComponent),
  type: at((e) => e.type),
};

export const coreKinds: readonly Resource[] = [
  builtIn({
    group: "",
    kind: "Namespace",
    plural: "namespaces",
    shortNames: ["ns"],
    cluster: true,
    verbs: NO_COLLECTION,
    subresources: {
      finalize: { kind: { group: "", version: "", kind: "Namespace" }, verbs: ["update"] },
      status: { kind: { group: "", version: "", kind: "Namespace" }, verbs: ["get", "patch", "update"] },
    },
    fieldLabels: { "status.phase": at((n) => n.status?.phase) },
    strategy: namespace,
  }),
  builtIn({
    group: "",
    kind: "ConfigMap",
    plural: "configmaps",
    shortNames: ["cm"],
    strategy: configMap,
  }),
  builtIn({
    group: "",
    kind: "Secret",
    plural: "secrets",
    fieldLabels: { type: at((s) => s.type) },
    strategy: secret,
  }),
  builtIn({
    group: "",
    kind: "ServiceAccount",
    plural: "serviceaccounts",
    shortNames: ["sa"],
    subresources: {
      token: { kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" }, verbs: ["create"] },
    },
    strategy: { validateName: subdomainName, returnsDeleted: true },
  }),
  builtIn({
    group: "",
    kind: "Node",
    plural: "nodes",
    shortNames: ["no"],
    cluster: true,
    status: true,
    fieldLabels: { "spec.unschedulable": at((n) => n.spec?.unschedulable ?? false) },
    strategy: node,
  }),
  builtIn({
    group: "",
    kind: "Service",
    plural: "services",
    shortNames: ["svc"],
    categories: ["all"],
    status: true,
    fieldLabels: { "spec.clusterIP": at((s) => s.spec?.clusterIP), "spec.type": at((s) => s.spec?.type) },
    strategy: service,
  }),
  builtIn({
    group: "",
    kind: "Event",
    plural: "events",
    shortNames: ["ev"],
    fieldLabels: eventLabels,
    strategy: event,
  }),
];
