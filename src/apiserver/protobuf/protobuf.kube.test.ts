/** Everything the real API server holds, read from its protobuf and compared with its JSON. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { widgetDefinition } from "../managed-fields/widgets.ts";
import { RealApi } from "../testing/real-api.ts";
import { decodeProtobuf } from "./decode-protobuf.ts";

let api: RealApi;

const node: JsonObject = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "proto-node", labels: { a: "b" } },
  spec: { taints: [{ key: "k", value: "v", effect: "NoSchedule" }], podCIDRs: ["10.1.0.0/24"], podCIDR: "10.1.0.0/24" },
  status: { capacity: { cpu: "4", memory: "1Gi" }, addresses: [{ type: "InternalIP", address: "192.0.2.1" }] },
};

const webhook: JsonObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "proto-hook" },
  webhooks: [
    {
      name: "a.example.com",
      clientConfig: { url: "https://127.0.0.1:1/", caBundle: "" },
      rules: [
        {
          operations: ["CREATE"],
          apiGroups: ["none.example.com"],
          apiVersions: ["*"],
          resources: ["nothings"],
          scope: "*",
        },
      ],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      timeoutSeconds: 1,
      failurePolicy: "Ignore",
    },
  ],
};

const event: JsonObject = {
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name: "proto-event", namespace: "default" },
  eventTime: "2026-01-02T03:04:05.678901Z",
  reportingController: "example.com/c",
  reportingInstance: "i",
  action: "Act",
  reason: "Because",
  type: "Normal",
  regarding: { kind: "Namespace", name: "default", apiVersion: "v1" },
  note: "text",
};

const lease: JsonObject = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "proto-lease", namespace: "default" },
  spec: {
    holderIdentity: "h",
    leaseDurationSeconds: 15,
    renewTime: "2026-01-02T03:04:05.000006Z",
    leaseTransitions: 0,
  },
};

const slice: JsonObject = {
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name: "proto-slice", namespace: "default" },
  addressType: "IPv4",
  endpoints: [{ addresses: ["192.0.2.7"], conditions: { ready: false }, targetRef: { kind: "Node", name: "n" } }],
  ports: [{ name: "http", port: 80, protocol: "TCP" }],
};

const secret: JsonObject = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "proto-secret", namespace: "default" },
  data: { a: "AAEC/w==" },
  type: "Opaque",
};

const bases = {
  nodes: "/api/v1/nodes",
  hooks: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
  events: "/apis/events.k8s.io/v1/namespaces/default/events",
  leases: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
  slices: "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
  secrets: "/api/v1/namespaces/default/secrets",
  definitions: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
};

beforeAll(async () => {
  api = new RealApi();
  const wanted: [string, JsonObject][] = [
    [bases.nodes, node],
    [bases.hooks, webhook],
    [bases.events, event],
    [bases.leases, lease],
    [bases.slices, slice],
    [bases.secrets, secret],
    [bases.definitions, widgetDefinition],
  ];
  for (const [path, body] of wanted) await api.send({ method: "POST", path, contentType: "application/json", body });
});

afterAll(async () => {
  await api.close();
});

const lists = [
  "/api/v1/namespaces",
  "/api/v1/configmaps",
  "/api/v1/serviceaccounts",
  "/api/v1/services",
  "/api/v1/events",
  "/apis/rbac.authorization.k8s.io/v1/roles",
  "/apis/rbac.authorization.k8s.io/v1/rolebindings",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
  ...Object.values(bases),
];

describe("decodeProtobuf", () => {
  it.each(lists)("reads %s as JSON says it", async (list) => {
    const { body } = await api.send({ method: "GET", path: `${list}?limit=40` });
    const items = body.items as JsonObject[];
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) {
      const { name, namespace } = item.metadata as { name: string; namespace?: string };
      const scope =
        namespace === undefined || list.includes("/namespaces/")
          ? list
          : list.replace(/\/([^/]+)$/, `/namespaces/${namespace}/$1`);
      const path = `${scope}/${encodeURIComponent(name)}`;
      const answer = await api.send({ method: "GET", path });
      if (answer.code === 404) continue;
      const bytes = await api.bytes(path, "application/vnd.kubernetes.protobuf");
      expect(decodeProtobuf(bytes)).toEqual(answer.body);
    }
  });
});
