/** Our readers of Kubernetes' little languages against the API server's own: same texts, same answers. */
import { beforeAll, describe, expect, it } from "vitest";
import { apiServerFromEnvironment } from "../../e2e/examples/api-server.ts";
import * as core from "./core/index.ts";
import { apiVersionOf, type Kind } from "./kind.ts";
import { InvalidSelector, matchesRequirements } from "./label-selector.ts";
import { parseSelector } from "./selector-text.ts";
import {
  edgeSelectors,
  notQuantities,
  notSelectors,
  quantityVectors,
  selectedLabels,
  selectorVectors,
} from "./testing/vectors.ts";

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

const maps = "/api/v1/namespaces/default/configmaps";
const selects = (body: Record<string, unknown>) =>
  (body.items as { metadata: { name: string } }[]).some((item) => item.metadata.name === "selected");

beforeAll(async () => {
  const metadata = { name: "selected", labels: selectedLabels };
  await api.call("POST", maps, { apiVersion: "v1", kind: "ConfigMap", metadata });
});

describe("selectors", () => {
  const select = (text: string) => api.call("GET", `${maps}?labelSelector=${encodeURIComponent(text)}`);

  it.each(selectorVectors)("%s: %s", async (text, expected) => {
    expect(selects((await select(text)).body)).toBe(expected);
  });

  it.each(notSelectors)("%j is refused", async (text) => {
    expect((await select(text)).status).toBe(400);
  });
});

describe("selectors at the edges of the grammar", () => {
  it.each(edgeSelectors)("%j is answered alike", async (text) => {
    const { status, body } = await api.call("GET", `${maps}?labelSelector=${encodeURIComponent(text)}`);
    expect(ourAnswer(text)).toBe(status === 200 ? selects(body) : "refused");
  });
});

function ourAnswer(text: string): boolean | "refused" {
  try {
    return matchesRequirements(parseSelector(text), selectedLabels);
  } catch (error) {
    if (error instanceof InvalidSelector) return "refused";
    throw error;
  }
}

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
