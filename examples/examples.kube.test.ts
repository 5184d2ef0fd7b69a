/** The judge: a real API server takes every CRD and every example, and refuses every invalid one for the documented reason. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { allKinds } from "#api";
import { apiVersionOf, CustomResourceDefinition, crdOf, type DefinedKind, type KubeObject } from "#kinds";
import { type Answer, apiServerFromEnvironment, collectionPath } from "./api-server.ts";
import { examplesFolder, invalidManifests } from "./manifests.ts";

const api = apiServerFromEnvironment();
const crds = collectionPath(CustomResourceDefinition);
const run = promisify(execFile);
const kubectl = (...args: readonly string[]) => run(process.env.METALWRIGHT_KUBECTL ?? "kubectl", args);

function kindOf({ apiVersion, kind }: KubeObject): DefinedKind {
  const found = allKinds.find((known) => apiVersionOf(known) === apiVersion && known.kind === kind);
  if (!found) throw new Error(`${apiVersion} ${kind} is none of ours`);
  return found;
}

const pathOf = (object: KubeObject) =>
  `${collectionPath(kindOf(object), object.metadata.namespace)}/${object.metadata.name}`;

async function create(object: KubeObject): Promise<Answer> {
  await api.call("DELETE", pathOf(object));
  return api.call(
    "POST",
    `${collectionPath(kindOf(object), object.metadata.namespace)}?fieldValidation=Strict`,
    object,
  );
}

async function replace(object: KubeObject, subresource = ""): Promise<Answer> {
  const { body } = await api.call("GET", pathOf(object));
  const metadata = { ...object.metadata, resourceVersion: body.metadata.resourceVersion };
  return api.call("PUT", `${pathOf(object)}${subresource}?fieldValidation=Strict`, { ...object, metadata });
}

async function conditionsOf(kind: DefinedKind): Promise<Record<string, string>> {
  const { body } = await api.call("GET", `${crds}/${kind.plural}.${kind.group}`);
  const { status } = body as unknown as CustomResourceDefinition;
  return Object.fromEntries(
    (status?.conditions ?? []).map(({ type, status, message }) => [type, `${status} ${message}`]),
  );
}

beforeAll(async () => {
  await kubectl("apply", "--server-side", "--force-conflicts", "-f", join(examplesFolder, "../deploy/crds"));
  await kubectl("wait", "--for=condition=Established", "--timeout=60s", "-f", join(examplesFolder, "../deploy/crds"));
  await kubectl("apply", "--server-side", "--force-conflicts", "-f", join(examplesFolder, "00-namespace.yaml"));
});

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
      await kubectl("delete", "--ignore-not-found", "-f", examplesFolder);
      await kubectl("apply", ...flags, "-f", examplesFolder);
      const again = await kubectl("apply", ...flags, "-f", examplesFolder);
      expect(again.stdout.match(/created/)).toBeNull();
    },
  );
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
