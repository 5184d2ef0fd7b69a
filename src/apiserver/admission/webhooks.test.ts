import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAuthority, issue, type KeyPair } from "../security/certificates.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";

let api: TestApi;
let hook: Server;
let authority: KeyPair;
let certificate: KeyPair;
// biome-ignore lint/suspicious/noExplicitAny: reviews of every kind
let asked: any[];
let answer: (review: { request: { uid: string } }) => unknown;
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

beforeAll(async () => {
  const now = new Date();
  authority = await createAuthority(now);
  certificate = await issue(
    authority,
    { subject: "CN=hook", usage: "server", names: ["localhost"], addresses: ["127.0.0.1"] },
    now,
  );
});

beforeEach(async () => {
  asked = [];
  hook = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const review = JSON.parse(text);
      asked.push(review);
      const response_ = answer(review);
      if (response_ === undefined) return;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: response_ }));
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  api = await startTestApi();
});
afterEach(async () => {
  await api.close();
  hook.closeAllConnections();
  await new Promise((resolve) => hook.close(resolve));
});

async function configure(type: "Mutating" | "Validating", own: object = {}): Promise<void> {
  const webhook = {
    name: "hook.example.com",
    clientConfig: {
      url: `https://127.0.0.1:${(hook.address() as AddressInfo).port}/review`,
      caBundle: Buffer.from(authority.cert).toString("base64"),
    },
    rules: [
      { operations: ["CREATE", "UPDATE", "DELETE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
    ],
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    ...own,
  };
  const kind = `${type}WebhookConfiguration`;
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s`;
  const created = await api.send("POST", path, {
    metadata: { name: `${type.toLowerCase()}-hook` },
    webhooks: [webhook],
  });
  expect(created.status).toBe(201);
}

const create = (name = "a", labels: object = {}) =>
  api.send("POST", CONFIG_MAPS, { metadata: { name, labels }, data: { a: "1" } });
const allow = (review: { request: { uid: string } }, more: object = {}): object => ({
  uid: review.request.uid,
  allowed: true,
  ...more,
});

describe("validating webhooks", () => {
  it("are asked with the whole write and may refuse it", async () => {
    answer = ({ request }) => ({ uid: request.uid, allowed: false, status: { message: "not today" } });
    await configure("Validating");
    expect(await create()).toMatchObject({
      status: 403,
      body: { reason: "Forbidden", message: 'admission webhook "hook.example.com" denied the request: not today' },
    });
    expect(asked[0].request).toMatchObject({
      operation: "CREATE",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      namespace: "default",
      name: "a",
      dryRun: false,
      object: { kind: "ConfigMap", data: { a: "1" } },
      oldObject: null,
      userInfo: { username: "system:apiserver" },
    });
    expect((await api.send("GET", CONFIG_MAPS)).body.items).toEqual([]);
  });

  it("see updates and deletions with the old object, and may warn", async () => {
    answer = (review) => allow(review, { warnings: ["mind the gap"] });
    await configure("Validating");
    const { body, headers } = await create();
    expect(headers.warning).toBe('299 - "mind the gap"');
    await api.send("PUT", `${CONFIG_MAPS}/a`, { ...body, data: { a: "2" } });
    await api.send("DELETE", `${CONFIG_MAPS}/a`);
    expect(asked.map(({ request }) => [request.operation, request.object?.data, request.oldObject?.data])).toEqual([
      ["CREATE", { a: "1" }, undefined],
      ["UPDATE", { a: "2" }, { a: "1" }],
      ["DELETE", undefined, { a: "2" }],
    ]);
  });

  it("select by label and namespace", async () => {
    answer = ({ request }) => ({ uid: request.uid, allowed: false });
    await configure("Validating", { objectSelector: { matchLabels: { checked: "yes" } } });
    expect((await create("a")).status).toBe(201);
    expect((await create("b", { checked: "yes" })).status).toBe(403);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ["Fail", 500],
    ["Ignore", 201],
  ])("that do not answer in time: %s gives %i", async (failurePolicy, status) => {
    answer = () => undefined;
    await configure("Validating", { failurePolicy, timeoutSeconds: 1 });
    const { status: got, body } = await create();
    expect(got).toBe(status);
    if (status === 500)
      expect(body.message).toMatch(
        /^Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: Post .*deadline/,
      );
  });

  it("are not trusted under another authority", async () => {
    answer = allow;
    await configure("Validating", {
      clientConfig: {
        url: `https://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
        caBundle: Buffer.from((await createAuthority(new Date())).cert).toString("base64"),
      },
    });
    expect((await create()).status).toBe(500);
    expect(asked).toEqual([]);
  });

  it("are not asked on a dry run if they have side effects", async () => {
    answer = allow;
    await configure("Validating", { sideEffects: "Some" });
    expect((await api.send("POST", `${CONFIG_MAPS}?dryRun=All`, { metadata: { name: "a" } })).status).toBe(400);
    expect(asked).toEqual([]);
  });
});

describe("mutating webhooks", () => {
  const patch = (...operations: object[]) => ({
    patchType: "JSONPatch",
    patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
  });

  it("change the object before it is judged and stored", async () => {
    answer = (review) => allow(review, patch({ op: "add", path: "/data/b", value: "2" }));
    await configure("Mutating");
    expect((await create()).body.data).toEqual({ a: "1", b: "2" });
    expect((await api.send("GET", `${CONFIG_MAPS}/a`)).body).toMatchObject({
      data: { a: "1", b: "2" },
      metadata: { managedFields: [{ fieldsV1: { "f:data": { "f:a": {}, "f:b": {} } } }] },
    });
  });

  it("cannot make an object invalid", async () => {
    answer = (review) => allow(review, patch({ op: "add", path: "/data/b~1b", value: "2" }));
    await configure("Mutating");
    expect((await create()).status).toBe(422);
  });

  it("run before validating ones", async () => {
    answer = (review) => allow(review, asked.length === 1 ? patch({ op: "add", path: "/data/b", value: "2" }) : {});
    await configure("Mutating");
    await configure("Validating");
    await create();
    expect(asked.map(({ request }) => Object.keys(request.object.data))).toEqual([["a"], ["a", "b"]]);
  });
});
