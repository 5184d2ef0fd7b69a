import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileSchema } from "../schema/compile.ts";
import type { CustomResourceDefinition } from "../schema/index.ts";
import {
  answerOf,
  answerOfErrors,
  definitionSuite,
  type FieldSuite,
  fieldSuite,
  ruleSuite,
  runSuite,
} from "./corpus.ts";
import { connectOracle, type Oracle, type OracleAnswer } from "./oracle.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

let oracle: Oracle;

beforeAll(() => {
  oracle = connectOracle();
});

afterAll(() => oracle.close());

async function until(what: string, done: () => Promise<boolean>): Promise<void> {
  await expect.poll(done, { message: what, timeout: 30_000, interval: 50 }).toBe(true);
}

async function remove(name: string): Promise<void> {
  await oracle.send("DELETE", `${definitions}/${name}`);
  await until(`${name} to be gone`, async () => (await oracle.send("GET", `${definitions}/${name}`)).code === 404);
}

async function install(crd: CustomResourceDefinition, collection: string): Promise<void> {
  await remove(crd.metadata?.name ?? "");
  const created = await oracle.send("POST", definitions, crd);
  expect(created.body.message).toBeUndefined();
  await until(`${collection} to be served`, async () => (await oracle.send("GET", collection)).code === 200);
}

function causesOf(answer: OracleAnswer): readonly string[] {
  if (answer.code < 300) return [];
  return answer.code === 422 ? answerOf(answer.body.details?.causes ?? []) : [`${answer.code} ${answer.body.message}`];
}

/** The same schema without what refuses, so that old objects can be stored which the rules would not let in. */
function permissive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(permissive);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key]) => !["x-kubernetes-validations", "maxLength", "enum"].includes(key),
  );
  return Object.fromEntries(kept.map(([key, child]) => [key, permissive(child)]));
}

describe("the recorded answers are still kube-apiserver's", () => {
  it("for values", async () => {
    const suite = fieldSuite();
    await install(suite.crd, "/apis/probe.dev/v1/probes");
    for (const { label, spec, expect: recorded } of suite.questions) {
      const object = { apiVersion: "probe.dev/v1", kind: "Probe", metadata: { name: "x" }, spec };
      const answer = await oracle.send("POST", "/apis/probe.dev/v1/probes?dryRun=All", object);
      expect({ label, causes: causesOf(answer) }).toEqual({ label, causes: recorded });
    }
  });

  it("for definitions and expressions", async () => {
    for (const { label, crd, expect: recorded } of [...definitionSuite(), ...ruleSuite()]) {
      const answer = await oracle.send("POST", `${definitions}?dryRun=All`, crd);
      expect({ label, causes: causesOf(answer) }).toEqual({ label, causes: recorded });
    }
  });

  it("for rules on create and update", async () => {
    const suite = runSuite();
    const collection = "/apis/probe.dev/v1/runprobes";
    await install(permissive(suite.crd) as CustomResourceDefinition, collection);
    const object = (name: string, spec: unknown) => ({
      apiVersion: "probe.dev/v1",
      kind: "Runprobe",
      metadata: { name },
      spec,
    });
    for (const [i, { old }] of suite.questions.entries())
      if (old !== undefined) expect((await oracle.send("POST", collection, object(`x${i}`, old))).code).toBe(201);
    await tighten(suite, collection);
    for (const [i, { label, spec, old, expect: recorded }] of suite.questions.entries()) {
      const answer = await createOrUpdate(`${collection}`, object(`x${i}`, spec), old !== undefined);
      expect({ label, causes: causesOf(answer) }).toEqual({ label, causes: recorded });
    }
  });
});

async function tighten(suite: FieldSuite, collection: string): Promise<void> {
  const path = `${definitions}/${suite.crd.metadata?.name}`;
  const { body } = await oracle.send("GET", path);
  const updated = await oracle.send("PUT", path, { ...body, spec: suite.crd.spec });
  expect(updated.code).toBe(200);
  const refused = { apiVersion: "probe.dev/v1", kind: "Runprobe", metadata: { name: "refused" }, spec: { a2: "zzz" } };
  await until(
    "the rules to be in force",
    async () => (await oracle.send("POST", `${collection}?dryRun=All`, refused)).code === 422,
  );
}

async function createOrUpdate(
  collection: string,
  object: { metadata: { name: string } },
  update: boolean,
): Promise<OracleAnswer> {
  if (!update) return oracle.send("POST", `${collection}?dryRun=All`, object);
  const path = `${collection}/${object.metadata.name}`;
  const { body } = await oracle.send("GET", path);
  return oracle.send("PUT", `${path}?dryRun=All`, { ...object, metadata: body.metadata });
}

describe("generated objects get the same answer from both", () => {
  it("for values of any shape in every field", async () => {
    const suite = fieldSuite();
    await install(suite.crd, "/apis/probe.dev/v1/probes");
    const compiled = compileSchema(suite.schema);
    const names = [...new Set(suite.questions.flatMap((question) => Object.keys(question.spec)))];
    const scalar = fc.oneof(
      fc.constantFrom(...suite.questions.map((question) => Object.values(question.spec)[0])),
      fc.string({ maxLength: 6 }),
      fc.integer({ min: -10, max: 10 }),
      fc.boolean(),
    );
    const value = fc.oneof(
      scalar,
      fc.array(scalar, { maxLength: 4 }),
      fc.dictionary(fc.constantFrom("a", "b", "k", "p"), scalar),
    );
    const specs = fc.sample(fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 6 }), {
      numRuns: 250,
      seed: 7,
    });
    for (const spec of specs) {
      const object = { apiVersion: "probe.dev/v1", kind: "Probe", metadata: { name: "x" }, spec };
      const answer = await oracle.send("POST", "/apis/probe.dev/v1/probes?dryRun=All", object);
      const mine = structuredClone(object);
      compiled.prune(mine);
      compiled.applyDefaults(mine);
      expect({ spec, causes: answerOfErrors(compiled.validate(mine)) }).toEqual({ spec, causes: causesOf(answer) });
    }
  });
});
