/** Whatever is sent, the server answers, and never with an accident of its own. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installWidgets, startTestApi, type TestApi, WIDGETS, widget } from "../testing/test-api.ts";

const RUNS = Number(process.env.METALWRIGHT_FUZZ_RUNS ?? 1_500);
let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  await installWidgets(api);
});
// Closing fails when any request led to an error nobody expected.
afterAll(() => api.close());

const WORDS = [
  "api",
  "apis",
  "v1",
  "namespaces",
  "default",
  "configmaps",
  "secrets",
  "widgets",
  "example.com",
  "status",
  "scale",
  "token",
  "serviceaccounts",
  "a",
  "finalize",
];
const segment = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom("..", "%00", "__proto__", "constructor", ""),
  fc.string({ maxLength: 8 }),
);
const path = fc
  .array(segment, { maxLength: 8 })
  .map((parts) => `/${parts.map((p) => encodeURIComponent(p)).join("/")}`);
const names = [
  "limit",
  "continue",
  "labelSelector",
  "fieldSelector",
  "resourceVersion",
  "resourceVersionMatch",
  "fieldValidation",
  "dryRun",
  "fieldManager",
  "force",
  "propagationPolicy",
  "pretty",
  "includeObject",
  "timeoutSeconds",
];
const query = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(
    fc.constantFrom("0", "1", "true", "Exact", "All", "a=b", "Strict", "x in (y)"),
    fc.string({ maxLength: 12 }),
  ),
  { maxKeys: 4 },
);
const type = fc.constantFrom(
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/merge-patch+json",
  "application/json-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "text/plain",
);
const accept = fc.constantFrom(
  undefined,
  "*/*",
  "application/yaml",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "text/html",
  ";;,=",
);
const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE");

async function answered(verb: string, url: string, body: unknown, options: object): Promise<void> {
  const { status } = await api.send(verb, url, verb === "GET" ? undefined : body, options);
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(600);
}

const toSearch = (parameters: Record<string, string>): string => new URLSearchParams(parameters).toString();

describe("fuzz", () => {
  it("any path, query, type and body", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        method,
        path,
        query,
        fc.tuple(type, accept, fc.oneof(fc.string(), fc.json())),
        async (verb, url, parameters, rest) => {
          const [contentType, accepted, body] = rest;
          await answered(verb, `${url}?${toSearch(parameters)}`, body, {
            type: contentType,
            ...(accepted && { accept: accepted }),
          });
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("objects with anything inside", { timeout: 120_000 }, async () => {
    const targets = fc.constantFrom(
      ["/api/v1/namespaces/default/configmaps", "v1", "ConfigMap"],
      ["/api/v1/namespaces/default/services", "v1", "Service"],
      ["/api/v1/namespaces", "v1", "Namespace"],
      [
        "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
        "rbac.authorization.k8s.io/v1",
        "RoleBinding",
      ],
      [
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
      ],
      [
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
      ],
      [WIDGETS, "example.com/v1", "Widget"],
    );
    const inside = fc.dictionary(
      fc.constantFrom("spec", "data", "metadata", "status", "subjects", "roleRef", "webhooks", "rules"),
      fc.jsonValue({ maxDepth: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(targets, inside, fc.constantFrom("Strict", "Ignore"), async (target, own, validation) => {
        const [url = "", apiVersion, kind] = target;
        const metadata = { name: "fuzz", ...(typeof own.metadata === "object" ? own.metadata : {}) };
        await answered(
          "POST",
          `${url}?dryRun=All&fieldValidation=${validation}`,
          { ...own, apiVersion, kind, metadata },
          {},
        );
      }),
      { numRuns: RUNS },
    );
  });

  it("patches of every kind", { timeout: 120_000 }, async () => {
    await api.send("POST", WIDGETS, widget("target"));
    const operation = fc.record({
      op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test"),
      path: fc.constantFrom("", "/spec", "/spec/size", "/metadata/name", "/-", "/~2", "/spec/x/y"),
      from: fc.constantFrom("/spec", "/nope"),
      value: fc.jsonValue({ maxDepth: 2 }),
    });
    const patch = fc.oneof(
      fc.tuple(fc.constant("application/json-patch+json"), fc.array(operation, { maxLength: 4 })),
      fc.tuple(fc.constant("application/merge-patch+json"), fc.jsonValue({ maxDepth: 3 })),
      fc.tuple(fc.constant("application/apply-patch+yaml"), fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 3 }))),
    );
    await fc.assert(
      fc.asyncProperty(patch, async ([contentType, body]) => {
        const text = typeof body === "string" ? body : JSON.stringify(body);
        await answered("PATCH", `${WIDGETS}/target?dryRun=All&fieldManager=fuzz`, text, { type: contentType });
      }),
      { numRuns: RUNS },
    );
  });
});
