/** The official JavaScript client against the embedded API: objects, patches, definitions, watches and informers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WIDGET_CRD, widget } from "../../src/apiserver/testing/test-api.ts";
import { officialClient } from "../../tools/official-client.ts";
import { ServerProcess } from "./server-process.ts";

const namespace = "default";
const WIDGET = { group: "example.com", version: "v1", namespace, plural: "widgets" };
const soon = { timeout: 20_000, interval: 50 };
const server = new ServerProcess();
// biome-ignore lint/suspicious/noExplicitAny: the package is installed at run time, its types are not there to check with
let k8s: any;
// biome-ignore lint/suspicious/noExplicitAny: as above
let config: any;
// biome-ignore lint/suspicious/noExplicitAny: as above
let core: any;
// biome-ignore lint/suspicious/noExplicitAny: as above
let custom: any;

beforeAll(async () => {
  k8s = await import(officialClient());
  await server.start();
  config = new k8s.KubeConfig();
  config.loadFromFile(server.kubeconfig);
  core = config.makeApiClient(k8s.CoreV1Api);
  custom = config.makeApiClient(k8s.CustomObjectsApi);
}, 300_000);
afterAll(() => server.dispose());

const configMap = (name: string, data: object) => ({ metadata: { name }, data });
const as = (strategy: string) => k8s.setHeaderOptions("Content-Type", k8s.PatchStrategy[strategy]);

describe("the official JavaScript client", () => {
  it("creates, reads, replaces, lists and deletes", async () => {
    const created = await core.createNamespacedConfigMap({ namespace, body: configMap("cm", { a: "1" }) });
    expect(created.metadata.creationTimestamp).toBeInstanceOf(Date);
    const replaced = await core.replaceNamespacedConfigMap({
      namespace,
      name: "cm",
      body: { ...created, data: { a: "2" } },
    });
    expect(Number(replaced.metadata.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion));
    const stale = core.replaceNamespacedConfigMap({ namespace, name: "cm", body: created });
    await expect(stale).rejects.toMatchObject({ code: 409, body: expect.stringContaining('"reason":"Conflict"') });
    const { items } = await core.listNamespacedConfigMap({ namespace, fieldSelector: "metadata.name=cm" });
    expect(items.map((item: { data: object }) => item.data)).toEqual([{ a: "2" }]);
    expect(await core.deleteNamespacedConfigMap({ namespace, name: "cm" })).toMatchObject({ status: "Success" });
    await expect(core.readNamespacedConfigMap({ namespace, name: "cm" })).rejects.toMatchObject({ code: 404 });
  });

  it("pages through a list", async () => {
    for (const name of ["p1", "p2", "p3"]) {
      await core.createNamespacedConfigMap({
        namespace,
        body: { metadata: { name, labels: { page: "y" } }, data: {} },
      });
    }
    const first = await core.listNamespacedConfigMap({ namespace, labelSelector: "page=y", limit: 2 });
    const _continue = first.metadata._continue;
    const second = await core.listNamespacedConfigMap({ namespace, labelSelector: "page=y", limit: 2, _continue });
    const names = [first, second].map((l) => l.items.map((i: { metadata: { name: string } }) => i.metadata.name));
    expect(names).toEqual([["p1", "p2"], ["p3"]]);
  });

  it("patches in every way", async () => {
    await core.createNamespacedConfigMap({ namespace, body: configMap("patched", { a: "1" }) });
    const where = { namespace, name: "patched" };
    const bodies = [
      ["JsonPatch", [{ op: "add", path: "/data/json", value: "y" }]],
      ["MergePatch", { data: { merge: "y" } }],
      ["StrategicMergePatch", { data: { strategic: "y", a: null } }],
    ] as const;
    for (const [strategy, body] of bodies) await core.patchNamespacedConfigMap({ ...where, body }, as(strategy));
    const applied = { apiVersion: "v1", kind: "ConfigMap", ...configMap("patched", { applied: "y" }) };
    await core.patchNamespacedConfigMap({ ...where, body: applied, fieldManager: "me" }, as("ServerSideApply"));
    const { data, metadata } = await core.readNamespacedConfigMap(where);
    expect(data).toEqual({ json: "y", merge: "y", strategic: "y", applied: "y" });
    expect(metadata.managedFields.map((m: { manager: string }) => m.manager)).toContain("me");
  });

  it("defines a kind and uses it", async () => {
    const extensions = config.makeApiClient(k8s.ApiextensionsV1Api);
    await extensions.createCustomResourceDefinition({ body: WIDGET_CRD });
    const name = "widgets.example.com";
    await expect
      .poll(async () => (await extensions.readCustomResourceDefinition({ name })).status?.conditions, soon)
      .toContainEqual(expect.objectContaining({ type: "Established", status: "True" }));
    await custom.createNamespacedCustomObject({ ...WIDGET, body: widget("w") });
    const body = [{ op: "replace", path: "/status", value: { phase: "Ready" } }];
    await custom.patchNamespacedCustomObjectStatus({ ...WIDGET, name: "w", body });
    expect(await custom.getNamespacedCustomObject({ ...WIDGET, name: "w" })).toMatchObject({
      spec: { size: 3 },
      status: { phase: "Ready" },
    });
    const refused = custom.createNamespacedCustomObject({ ...WIDGET, body: widget("x", { size: 0 }) });
    await expect(refused).rejects.toMatchObject({ code: 422 });
  });

  it("reads and writes any kind through its generic client", async () => {
    const objects = k8s.KubernetesObjectApi.makeApiClient(config);
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace }, stringData: { p: "q" } };
    expect((await objects.create(secret)).data).toEqual({ p: "cQ==" });
    expect((await objects.read(widget("w", {}, { namespace }))).spec.size).toBe(3);
    await objects.delete(secret);
    await expect(objects.read(secret)).rejects.toMatchObject({ code: 404 });
  });

  it("watches", async () => {
    const seen: string[] = [];
    const watching = await new k8s.Watch(config).watch(
      `/apis/example.com/v1/namespaces/${namespace}/widgets`,
      { allowWatchBookmarks: true },
      (type: string, object: { metadata: { name: string } }) => seen.push(`${type} ${object.metadata.name}`),
      () => {},
    );
    await expect.poll(() => seen, soon).toContain("ADDED w");
    await custom.createNamespacedCustomObject({ ...WIDGET, body: widget("v") });
    await custom.deleteNamespacedCustomObject({ ...WIDGET, name: "v" });
    await expect.poll(() => seen, soon).toEqual(["ADDED w", "ADDED v", "DELETED v"]);
    watching.abort();
  });

  it("keeps an informer up to date across a restart of the server", async () => {
    const path = `/apis/example.com/v1/namespaces/${namespace}/widgets`;
    const informer = k8s.makeInformer(config, path, () => custom.listNamespacedCustomObject(WIDGET));
    const again = (): void => void informer.start().catch(() => setTimeout(again, 100));
    informer.on("error", again);
    await informer.start();
    const names = () => informer.list(namespace)?.map((w: { metadata: { name: string } }) => w.metadata.name);
    expect(names()).toEqual(["w"]);
    await server.kill("SIGKILL");
    await server.start();
    await custom.createNamespacedCustomObject({ ...WIDGET, body: widget("later") });
    await expect.poll(names, soon).toEqual(expect.arrayContaining(["w", "later"]));
    await informer.stop();
  });
});
