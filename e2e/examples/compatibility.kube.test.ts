/** What metal-operator v0.7.0 accepts, a real API server with our CRDs accepts too; and it fills in the same defaults. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  BIOSSettings,
  BIOSVersion,
  BMC,
  BMCSecret,
  BMCSettings,
  Endpoint,
  Server,
  ServerBootConfiguration,
  ServerClaim,
  ServerMaintenance,
  ServerReadinessRule,
} from "#api";
import { apiVersionOf, type Kind, type KubeObject } from "#kinds";
import { type Answer, apiServerFromEnvironment } from "./api-server.ts";
import { installCrds } from "./install.ts";
import { objectsOn } from "./objects.ts";

const { create, replace } = objectsOn(apiServerFromEnvironment());

beforeAll(installCrds);

/** An object as anyone may write it, whatever the types say. */
function object(kind: Kind, fields: object, name = "compatibility"): KubeObject {
  const namespace = kind.scope === "Namespaced" ? { namespace: "metal-examples" } : {};
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, ...namespace }, ...fields };
}

function expectAccepted(answer: Answer): void {
  expect(answer.body.message, "what the API server says").toBeUndefined();
  expect([200, 201]).toContain(answer.status);
}

const uuid = "11111111-2222-3333-4444-555555555555";
const protocol = { name: "Redfish", port: 443 };
const bmc = { bmcSecretRef: { name: "a" }, protocol };
const claim = { power: "", image: "" };
const image = { URI: "https://firmware.example.com/x.bin" };
const rule = {
  conditions: [{ type: "Ready", requiredStatus: "True" }],
  enforcementMode: "Continuous",
  taint: { key: "example.com/a" },
  serverSelector: {},
};

describe("spec as loose as v0.7.0", () => {
  it.each<[string, Kind, object]>([
    ["a Server without a spec", Server, {}],
    ["a Server with neither bmc nor bmcRef", Server, { spec: { systemUUID: "" } }],
    [
      "a Server with both, and words we do not know",
      Server,
      {
        spec: {
          systemUUID: uuid,
          power: "Sideways",
          indicatorLED: "Pink",
          bmcRef: {},
          bmc: { address: "x", protocol: { name: "Carrier pigeon", port: -1, scheme: "gopher" }, bmcSecretRef: {} },
          bootOrder: [{ name: "", priority: 4294967296, device: "" }],
        },
      },
    ],
    ["a claim that asks for nothing", ServerClaim, { spec: claim }],
    ["a claim with an unknown power", ServerClaim, { spec: { ...claim, power: "Maybe" } }],
    [
      "a selector nobody can evaluate",
      ServerClaim,
      { spec: { ...claim, serverSelector: { matchExpressions: [{ key: "", operator: "Like" }] } } },
    ],
    ["an Endpoint with an empty spec", Endpoint, { spec: {} }],
    ["an Endpoint with a free-form address", Endpoint, { spec: { macAddress: "foo", ip: "bar" } }],
    ["a BMC with empty access", BMC, { spec: { ...bmc, access: {} } }],
    ["a BMC of unknown protocol", BMC, { spec: { ...bmc, access: {}, protocol: { name: "Morse", port: 0 } } }],
    ["a BMCSecret with nothing in it", BMCSecret, {}],
    ["a boot configuration for nobody", ServerBootConfiguration, { spec: { serverRef: {} } }],
    [
      "a maintenance full of unknown words",
      ServerMaintenance,
      { spec: { serverRef: { name: "" }, policy: "Polite", serverPower: "Idle", locatorLED: "Disco", priority: -5 } },
    ],
    ["settings for no server", BIOSSettings, { spec: { version: "" } }],
    ["updatePolicy Normal", BIOSVersion, { spec: { version: "1", image, updatePolicy: "Normal" } }],
    [
      "an image with half a secret reference",
      BIOSVersion,
      { spec: { version: "1", image: { ...image, secretRef: { name: "a" } } } },
    ],
    [
      "a maintenance reference inside a reference",
      BMCSettings,
      { spec: { version: "1", BMCRef: {}, serverMaintenanceRefs: [{}] } },
    ],
    ["a rule for all servers", ServerReadinessRule, { spec: rule }],
  ])("%s", async (_, kind, fields) => {
    expectAccepted(await create(object(kind, fields)));
  });
});

describe("changes that v0.7.0 allows", () => {
  const ref = { namespace: "metal-examples", name: "worker-0" };
  const withRef = (serverClaimRef?: object) => ({ systemUUID: uuid, ...(serverClaimRef && { serverClaimRef }) });
  const settings = (serverRef?: object) => ({ version: "1", ...(serverRef && { serverRef }) });
  const selector = { matchLabels: { size: "large" } };

  it.each<[string, Kind, readonly object[]]>([
    [
      "an Endpoint is exchanged for an address and back",
      BMC,
      [
        { ...bmc, endpointRef: { name: "a" } },
        { ...bmc, access: { ip: "192.0.2.1" } },
        { ...bmc, endpointRef: { name: "b" } },
      ],
    ],
    [
      "a claim's server is filled in later and repeated",
      ServerClaim,
      [claim, { ...claim, serverRef: { name: "a" } }, { ...claim, power: "On", serverRef: { name: "a" } }],
    ],
    [
      "a claim's selector is added later and repeated",
      ServerClaim,
      [claim, { ...claim, serverSelector: selector }, { ...claim, image: "x", serverSelector: selector }],
    ],
    [
      "a server is claimed, released and claimed by another",
      Server,
      [withRef(), withRef(ref), withRef(), withRef({ ...ref, name: "worker-1" })],
    ],
    [
      "the UID of a claim is filled in later, kept, and lost to a writer that does not know it",
      Server,
      [withRef(ref), withRef({ ...ref, uid: "u1" }), { ...withRef({ ...ref, uid: "u1" }), power: "On" }, withRef(ref)],
    ],
    [
      "a server is named later and taken away",
      BIOSSettings,
      [settings(), settings({ name: "a" }), settings(), settings({ name: "b" })],
    ],
    [
      "a taint gets its value later",
      ServerReadinessRule,
      [rule, { ...rule, taint: { key: "example.com/a", value: "b" } }],
    ],
  ])("%s", async (_, kind, [first, ...changes]) => {
    expectAccepted(await create(object(kind, { spec: first })));
    for (const spec of changes) expectAccepted(await replace(object(kind, { spec })));
  });
});

describe("defaults", () => {
  it.each<[string, Kind, object, object]>([
    [
      "Server",
      Server,
      { systemUUID: uuid, taints: [{ key: "a" }], bmcRef: {} },
      { reclaimPolicy: "Recycle", unclaimable: false, taints: [{ key: "a", effect: "NoBind" }], bmcRef: { name: "" } },
    ],
    ["ServerMaintenance", ServerMaintenance, { serverRef: {} }, { serverRef: { name: "" }, priority: 0 }],
    ["ServerReadinessRule", ServerReadinessRule, rule, { taint: { key: "example.com/a", effect: "NoBind" } }],
  ])("of %s are filled in", async (_, kind, spec, filled) => {
    const { body } = await create(object(kind, { spec }));
    expect(body.spec).toEqual({ ...spec, ...filled });
  });

  it("of a toleration are none: absent means every effect", async () => {
    const tolerations = [{ key: "a" }];
    const { body } = await create(object(ServerClaim, { spec: { ...claim, tolerations } }));
    expect(body.spec).toEqual({ ...claim, tolerations });
  });

  it("of a BMC make it Pending as soon as any status is written", async () => {
    const spec = { ...bmc, access: {} };
    const created = await create(object(BMC, { spec }));
    expect(created.body.status).toBeUndefined();
    const { body } = await replace(object(BMC, { spec, status: { ip: "192.0.2.1" } }), "status");
    expect(body.status).toEqual({ ip: "192.0.2.1", state: "Pending" });
  });
});

describe("status", () => {
  const time = "2026-01-02T03:04:05Z";
  const condition = { type: "example.com/Any", status: "True", reason: "A", message: "", lastTransitionTime: time };

  async function statusOf(kind: Kind, spec: object, status: object): Promise<Answer> {
    expectAccepted(await create(object(kind, { spec })));
    return replace(object(kind, { spec, status }), "status");
  }

  it.each<[string, Kind, object, object]>([
    [
      "a state nobody knows",
      Server,
      { systemUUID: uuid },
      { state: "Dreaming", powerState: "Humming", totalSystemMemory: "512Gi" },
    ],
    [
      "a maintenance that is complete",
      ServerMaintenance,
      { serverRef: { name: "a" } },
      { state: "Complete", startTime: time, completionTime: time, conditions: [condition] },
    ],
    [
      "everything we add to a Server",
      Server,
      { systemUUID: uuid },
      {
        state: "Cleanup",
        waitingFor: { what: "PowerOff", since: time, deadline: time, message: "m", attempts: 2, lastError: "e" },
        health: { rollup: "Warning", components: [{ name: "PSU1", health: "Warning", since: time }] },
        inventory: [{ source: "Redfish", observedTime: time, counts: { drives: 4 } }],
        cleanup: { state: "Complete", disks: [{ name: "nvme0n1", policy: "Secure", result: "Wiped", verified: true }] },
        intent: {
          action: "Reset/ForceOff",
          targetUID: "u",
          nonce: "n",
          issued: time,
          deadline: time,
          fingerprint: { boots: "7" },
        },
      },
    ],
    ["conditions on a claim", ServerClaim, claim, { phase: "Unbound", conditions: [condition] }],
    ["conditions on an Endpoint", Endpoint, {}, { conditions: [condition] }],
  ])("keeps %s", async (_, kind, spec, status) => {
    const answer = await statusOf(kind, spec, status);
    expectAccepted(answer);
    expect(answer.body.status).toEqual(status);
  });

  it("of a BMC refuses a MAC address that is none", async () => {
    const answer = await statusOf(BMC, { ...bmc, access: {} }, { macAddress: "foo" });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toContain("status.macAddress");
  });

  it("is not writable through the object itself", async () => {
    const { body } = await create(object(Server, { spec: { systemUUID: uuid }, status: { state: "Available" } }));
    expect(body.status).toBeUndefined();
  });
});

describe("BMCSecret", () => {
  it("keeps stringData as it is, and may point at a Secret instead", async () => {
    const fields = {
      stringData: { username: "a" },
      data: { password: "Yg==" },
      type: "x",
      secretRef: { name: "s", namespace: "n" },
    };
    const { body } = await create(object(BMCSecret, fields));
    expect(body).toMatchObject(fields);
  });
});
