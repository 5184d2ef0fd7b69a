import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hours, minutes, settle, VirtualClock } from "#clock";
import { installWidgets, startTestApi, type TestApi, WIDGET_CRD, WIDGETS, widget } from "../testing/test-api.ts";

let api: TestApi;
let clock: VirtualClock;
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const MERGE = { type: "application/merge-patch+json" };

beforeEach(async () => {
  clock = new VirtualClock();
  api = await startTestApi({ clock });
});
afterEach(() => api.close());

interface Made {
  readonly name: string;
  readonly uid: string;
}

async function make(
  name: string,
  owners: readonly (Made & { block?: boolean })[] = [],
  finalizers: string[] = [],
): Promise<Made> {
  const ownerReferences = owners.map(({ name: owner, uid, block }) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    name: owner,
    uid,
    ...(block && { blockOwnerDeletion: true }),
  }));
  const { body } = await api.send("POST", CONFIG_MAPS, { metadata: { name, ownerReferences, finalizers } });
  return { name, uid: body.metadata.uid };
}

async function left(): Promise<string[]> {
  await api.server.idle();
  return (await api.send("GET", CONFIG_MAPS)).body.items.map((i: { metadata: { name: string } }) => i.metadata.name);
}

describe("garbage collection", () => {
  it("deletes what lost its last owner, down the line", async () => {
    const a = await make("a");
    const b = await make("b", [a]);
    await make("c", [b]);
    await make("other");
    await api.send("DELETE", `${CONFIG_MAPS}/a`);
    expect(await left()).toEqual(["other"]);
  });

  it("keeps what has another owner, without the lost one", async () => {
    const [a, b] = [await make("a"), await make("b")];
    await make("c", [a, b]);
    await api.send("DELETE", `${CONFIG_MAPS}/a`);
    expect(await left()).toEqual(["b", "c"]);
    const { body } = await api.send("GET", `${CONFIG_MAPS}/c`);
    expect(body.metadata.ownerReferences.map((o: Made) => o.name)).toEqual(["b"]);
  });

  it("deletes what was created for an owner that is already gone or another one by now", async () => {
    await make("a");
    await make("late", [{ name: "a", uid: "not-that-one" }]);
    expect(await left()).toEqual(["a"]);
  });

  it("orphans on request", async () => {
    const a = await make("a");
    await make("b", [a]);
    await api.send("DELETE", `${CONFIG_MAPS}/a`, { propagationPolicy: "Orphan" });
    expect(await left()).toEqual(["b"]);
    expect((await api.send("GET", `${CONFIG_MAPS}/b`)).body.metadata.ownerReferences).toBeUndefined();
  });

  it("waits in the foreground for dependents that block", async () => {
    const a = await make("a");
    await make("b", [{ ...a, block: true }], ["example.com/hold"]);
    const { body } = await api.send("DELETE", `${CONFIG_MAPS}/a`, { propagationPolicy: "Foreground" });
    expect(body.metadata.finalizers).toEqual(["foregroundDeletion"]);
    expect(await left()).toEqual(["a", "b"]);
    expect((await api.send("GET", `${CONFIG_MAPS}/b`)).body.metadata.deletionTimestamp).toBeDefined();
    await api.send("PATCH", `${CONFIG_MAPS}/b`, { metadata: { finalizers: null } }, MERGE);
    expect(await left()).toEqual([]);
  });
});

describe("namespaces", () => {
  it("go after everything in them, and take nothing new meanwhile", async () => {
    await api.send("POST", "/api/v1/namespaces", { metadata: { name: "team" } });
    await api.send("POST", "/api/v1/namespaces/team/configmaps", { metadata: { name: "a" } });
    await api.send("POST", "/api/v1/namespaces/team/secrets", {
      metadata: { name: "held", finalizers: ["example.com/x"] },
    });
    const { body } = await api.send("DELETE", "/api/v1/namespaces/team");
    expect(body).toMatchObject({
      kind: "Namespace",
      status: { phase: "Terminating" },
      spec: { finalizers: ["kubernetes"] },
    });
    await api.server.idle();
    expect((await api.send("GET", "/api/v1/namespaces/team/configmaps")).body.items).toEqual([]);
    const refused = await api.send("POST", "/api/v1/namespaces/team/configmaps", { metadata: { name: "b" } });
    expect(refused).toMatchObject({
      status: 403,
      body: {
        message:
          'configmaps "b" is forbidden: unable to create new content in namespace team because it is being terminated',
        details: { causes: [{ reason: "NamespaceTerminating" }] },
      },
    });
    expect((await api.send("GET", "/api/v1/namespaces/team")).status).toBe(200);
    await api.send("PATCH", "/api/v1/namespaces/team/secrets/held", { metadata: { finalizers: null } }, MERGE);
    await api.server.idle();
    expect((await api.send("GET", "/api/v1/namespaces/team")).status).toBe(404);
  });

  it("refuse to go when everything stands on them", async () => {
    const { status, body } = await api.send("DELETE", "/api/v1/namespaces/default");
    expect([status, body.message]).toEqual([
      403,
      'namespaces "default" is forbidden: this namespace may not be deleted',
    ]);
  });
});

describe("custom resource definitions", () => {
  it("are established, served and discovered", async () => {
    await installWidgets(api);
    const { body } = await api.send("GET", `${CRDS}/widgets.example.com`);
    expect(body.status).toMatchObject({
      acceptedNames: { plural: "widgets", listKind: "WidgetList" },
      storedVersions: ["v1"],
      conditions: [
        { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
        { type: "Established", status: "True", reason: "InitialNamesAccepted" },
      ],
    });
    const list = await api.send("GET", "/apis/example.com/v1");
    expect(list.body.resources.map((r: { name: string }) => r.name)).toEqual([
      "widgets",
      "widgets/status",
      "widgets/scale",
    ]);
  });

  it("keep their names from others", async () => {
    await installWidgets(api);
    const other = structuredClone(WIDGET_CRD);
    other.metadata.name = "gadgets.example.com";
    Object.assign(other.spec.names, { plural: "gadgets", singular: "gadget" });
    await api.send("POST", CRDS, other);
    await api.server.idle();
    const { body } = await api.send("GET", `${CRDS}/gadgets.example.com`);
    expect(body.status.conditions).toMatchObject([
      { type: "NamesAccepted", status: "False", reason: "ShortNamesConflict", message: '"wd" is already in use' },
      { type: "Established", status: "False", reason: "NotAccepted" },
    ]);
    expect((await api.send("GET", "/apis/example.com/v1/gadgets")).status).toBe(404);
  });

  it("take their objects along, waiting for finalizers", async () => {
    await installWidgets(api);
    await api.send("POST", WIDGETS, widget("free"));
    await api.send("POST", WIDGETS, widget("held", {}, { finalizers: ["example.com/x"] }));
    const { body } = await api.send("DELETE", `${CRDS}/widgets.example.com`);
    expect(body.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
    await api.server.idle();
    expect((await api.send("GET", WIDGETS)).body.items.map((i: { metadata: Made }) => i.metadata.name)).toEqual([
      "held",
    ]);
    await api.send("PATCH", `${WIDGETS}/held`, { metadata: { finalizers: null } }, MERGE);
    await api.server.idle();
    expect((await api.send("GET", `${CRDS}/widgets.example.com`)).status).toBe(404);
    expect((await api.send("GET", WIDGETS)).status).toBe(404);
    await installWidgets(api);
    expect((await api.send("GET", WIDGETS)).body.items).toEqual([]);
  });

  it("are refused when their schema is not structural", async () => {
    const bad = structuredClone(WIDGET_CRD) as unknown as { spec: { versions: { schema: unknown }[] } };
    for (const version of bad.spec.versions) version.schema = { openAPIV3Schema: { properties: { spec: {} } } };
    expect((await api.send("POST", CRDS, bad)).status).toBe(422);
  });
});

describe("events", () => {
  it("are forgotten an hour after their last news", async () => {
    const event = (name: string) => ({
      metadata: { name },
      involvedObject: { namespace: "default" },
      reason: "x",
      type: "Normal",
    });
    const events = "/api/v1/namespaces/default/events";
    await api.send("POST", events, event("old"));
    await clock.advance(minutes(40));
    await api.send("POST", events, event("new"));
    await clock.advance(minutes(25));
    await settle();
    await api.server.idle();
    expect((await api.send("GET", events)).body.items.map((i: { metadata: Made }) => i.metadata.name)).toEqual(["new"]);
    await clock.advance(hours(1));
    await api.server.idle();
    expect((await api.send("GET", events)).body.items).toEqual([]);
  });
});
