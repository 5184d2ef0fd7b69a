/** Our readers of Kubernetes' little languages against the API server's own: same texts, same answers. */
import { beforeAll, describe, expect, it } from "vitest";
import { apiServerFromEnvironment } from "../../examples/api-server.ts";
import * as core from "./core/index.ts";
import { apiVersionOf, type Kind } from "./kind.ts";
import { notQuantities, notSelectors, quantityVectors, selectedLabels, selectorVectors } from "./testing/vectors.ts";

const api = apiServerFromEnvironment();

describe("quantities", () => {
  const templates = "/api/v1/namespaces/default/podtemplates?dryRun=All";

  /** A field that is a quantity and nothing more; resource lists round to thousandths. */
  function volume(sizeLimit: string) {
    const spec = { containers: [{ name: "a", image: "b" }], volumes: [{ name: "v", emptyDir: { sizeLimit } }] };
    const template = { metadata: { labels: { app: "quantity" } }, spec };
    return { apiVersion: "v1", kind: "PodTemplate", metadata: { name: "quantity" }, template };
  }

  it.each(quantityVectors)("%s is written %s", async (text, canonical) => {
    const { body } = await api.call("POST", templates, volume(text));
    expect(body).toMatchObject({ template: { spec: { volumes: [{ emptyDir: { sizeLimit: canonical } }] } } });
  });

  it.each(notQuantities)("%j is none", async (text) => {
    const { status } = await api.call("POST", templates, volume(text));
    expect(status).toBe(400);
  });
});

describe("selectors", () => {
  const maps = "/api/v1/namespaces/default/configmaps";
  const metadata = { name: "selected", labels: selectedLabels };

  beforeAll(async () => {
    await api.call("POST", maps, { apiVersion: "v1", kind: "ConfigMap", metadata });
  });

  const select = (text: string) => api.call("GET", `${maps}?labelSelector=${encodeURIComponent(text)}`);

  it.each(selectorVectors)("%s: %s", async (text, selects) => {
    const { body } = await select(text);
    const names = (body.items as { metadata: { name: string } }[]).map((item) => item.metadata.name);
    expect(names.includes("selected")).toBe(selects);
  });

  it.each(notSelectors)("%j is refused", async (text) => {
    expect((await select(text)).status).toBe(400);
  });
});

describe("core kinds", () => {
  const kinds = Object.values(core) as readonly Kind[];

  it.each(kinds)("$group $kind is served under this name and scope", async (kind) => {
    const { body } = await api.call("GET", `${kind.group === "" ? "/api" : "/apis"}/${apiVersionOf(kind)}`);
    const resources = body.resources as { name: string; kind: string; namespaced: boolean }[];
    expect(resources.find(({ name }) => name === kind.plural)).toMatchObject({
      kind: kind.kind,
      namespaced: kind.scope === "Namespaced",
    });
  });
});
