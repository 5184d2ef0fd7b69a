/** The judge: a real API server takes every CRD and every example, and refuses every invalid one for the documented reason. */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { allKinds } from "#api";
import { ageColumn, CustomResourceDefinition, crdOf, type DefinedKind } from "#kinds";
import { apiServerFromEnvironment, collectionPath } from "./api-server.ts";
import { installCrds, kubectl } from "./install.ts";
import { examplesFolder, goodManifests, invalidManifests } from "./manifests.ts";
import { objectsOn } from "./objects.ts";

const api = apiServerFromEnvironment();
const crds = collectionPath(CustomResourceDefinition);
const { create, replace } = objectsOn(api);

async function conditionsOf(kind: DefinedKind): Promise<Record<string, string>> {
  const { body } = await api.call("GET", `${crds}/${kind.plural}.${kind.group}`);
  const { status } = body as unknown as CustomResourceDefinition;
  return Object.fromEntries(
    (status?.conditions ?? []).map(({ type, status, message }) => [type, `${status} ${message}`]),
  );
}

/** All but the namespace, which other suites use at the same time. */
const objectFiles = goodManifests()
  .slice(1)
  .map(({ file }) => join(examplesFolder, file));

beforeAll(installCrds);

describe("CRDs on a real API server", () => {
  it.each(allKinds)("$kind is established and structural", async (kind) => {
    const conditions = await conditionsOf(kind);
    expect(conditions.Established).toMatch(/^True/);
    expect(conditions.NamesAccepted).toMatch(/^True/);
    expect(conditions).not.toHaveProperty("NonStructuralSchema");
  });

  it.each(allKinds)("$kind is stored without a warning, field for field", async (kind) => {
    const name = `${kind.plural}.${kind.group}`;
    const { body } = await api.call("GET", `${crds}/${name}`);
    const update = await api.call("PUT", `${crds}/${name}?dryRun=All&fieldValidation=Strict`, {
      ...crdOf(kind),
      metadata: body.metadata,
    });
    expect(update.warnings).toEqual([]);
    expect(update.body.spec).toEqual(body.spec);
  });

  it.each(allKinds)("$kind warns exactly when it is deprecated", async (kind) => {
    const { warnings } = await api.call("GET", collectionPath(kind, "metal-examples"));
    const warning = kind.definition.deprecationWarning;
    expect(warnings).toEqual(warning === undefined ? [] : [warning]);
  });
});

describe("good examples on a real API server", () => {
  it.each([["client-side"], ["server-side", "--server-side"]])(
    "are taken by kubectl apply, %s",
    async (_, ...flags) => {
      await kubectl("delete", "--ignore-not-found", ...objectFiles.flatMap((file) => ["-f", file]));
      await kubectl("apply", ...flags, "-f", examplesFolder);
      const again = await kubectl("apply", ...flags, "-f", examplesFolder);
      expect(again.stdout.match(/created/)).toBeNull();
    },
  );
});

describe("what people see of the examples", () => {
  const get = async (...args: readonly string[]) => (await kubectl("get", "-A", ...args)).stdout;

  it.each(allKinds)("$kind has its columns", async (kind) => {
    const table = await get(`${kind.plural}.${kind.group}`, "-o", "wide");
    const names = (kind.definition.columns ?? [ageColumn]).map(({ name }) => name.toUpperCase());
    const own = kind.scope === "Namespaced" ? ["NAMESPACE", "NAME"] : ["NAME"];
    expect(table.split("\n")[0]?.split(/\s+/).filter(Boolean)).toEqual([...own, ...names]);
  });

  it("a maintenance shows its reason out of the annotation", async () => {
    expect(await get("sm", "-o", "wide")).toMatch(/swap-dimm .*DIMM A4 .*HardwareRepair/);
  });

  it("lists can be narrowed by field", async () => {
    const byUUID = (uuid: string) => get("servers", "-o", "name", `--field-selector=spec.systemUUID=${uuid}`);
    expect(await byUUID("7c6f6a0a-53a1-4b1c-9d0c-0f5f1c2b3a4d")).toBe(
      "server.metal.ironcore.dev/rack7-bmc3-system-0\n",
    );
    expect(await byUUID("00000000-0000-4000-8000-000000000000")).toBe("");
  });
});

describe("invalid examples on a real API server", () => {
  it.each(invalidManifests())("$file: $expect", async ({ objects, expect: reason }) => {
    const [first, change] = objects;
    if (!first) throw new Error("no object in the file");
    const created = await create(first);
    if (change) expect(created.status, "the object before the change").toBe(201);
    const refused = change ? await replace(change) : created;
    expect(refused.body.message).toContain(reason);
    expect(refused.status).toBe(422);
  });
});
