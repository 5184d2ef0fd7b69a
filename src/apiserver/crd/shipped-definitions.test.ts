/** Every definition and example this repository ships works on the embedded API. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { startTestApi, type TestApi } from "../testing/test-api.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

interface Definition {
  metadata: { name: string };
  spec: { group: string; names: { plural: string }; versions: { name: string }[] };
}

const definitions = readdirSync(join(ROOT, "deploy/crds"))
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) =>
    parseAllDocuments(readFileSync(join(ROOT, "deploy/crds", name), "utf8")).map((d) => d.toJS() as Definition),
  );

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(() => api.close());

describe("shipped definitions", () => {
  it("are there", () => expect(definitions.length).toBeGreaterThan(10));

  it("are accepted, established and served, and come back unchanged when applied again", async () => {
    for (const definition of definitions) {
      const path = `${CRDS}/${definition.metadata.name}?fieldManager=test&fieldValidation=Strict`;
      const created = await api.send("PATCH", path, definition, { type: "application/apply-patch+yaml" });
      expect(created.body.message ?? created.status).toBe(201);
    }
    await api.server.idle();
    for (const { metadata, spec } of definitions) {
      const { body } = await api.send("GET", `${CRDS}/${metadata.name}`);
      expect(body.status.conditions.map((c: { type: string; status: string }) => [c.type, c.status])).toEqual([
        ["NamesAccepted", "True"],
        ["Established", "True"],
      ]);
      const list = await api.send("GET", `/apis/${spec.group}/${spec.versions[0]?.name}/${spec.names.plural}`);
      expect([metadata.name, list.status]).toEqual([metadata.name, 200]);
    }
    for (const definition of definitions) {
      const path = `${CRDS}/${definition.metadata.name}`;
      const before = await api.send("GET", path);
      const again = await api.send("PATCH", `${path}?fieldManager=test`, definition, {
        type: "application/apply-patch+yaml",
      });
      expect(again.body.metadata.resourceVersion).toBe(before.body.metadata.resourceVersion);
    }
  });
});
