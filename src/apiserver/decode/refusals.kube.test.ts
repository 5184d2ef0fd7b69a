/** Bad requests, refused here and by the real API server in the same words. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeBuiltin } from "../builtins/go-decode.ts";
import type { JsonObject } from "../json.ts";
import { decodeJsonPatch } from "../patch/json-patch-operations.ts";
import { applyStrategicMergePatch } from "../patch/strategic-merge-patch.ts";
import { parseFieldSelector } from "../selector/field-selector.ts";
import { parseLabelSelector } from "../selector/label-selector.ts";
import { RealApi } from "../testing/real-api.ts";
import { strictDecodingMessage } from "./decode-error.ts";
import { decodeJsonObject } from "./decode-json.ts";
import { decodeApplyConfiguration } from "./decode-yaml.ts";

let api: RealApi;
const NAME = `refusals-${process.pid}`;
const MAPS = "/api/v1/namespaces/default/configmaps";
const SERVICES = "/api/v1/namespaces/default/services";

beforeAll(async () => {
  api = new RealApi();
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: NAME }, data: { a: "1" } };
  await api.send({ method: "POST", path: MAPS, contentType: "application/json", body });
});

afterAll(async () => {
  await api.close();
});

function messageOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("it was not refused here");
}

/** Everything a strict decode of a built-in body complains about. */
function decodeStrictly(text: string, kind: string): unknown {
  const { value, strictErrors } = decodeJsonObject(text);
  const decoded = decodeBuiltin(value, "v1", kind);
  const all = [...strictErrors, ...(decoded?.strictErrors ?? [])];
  if (all.length > 0) throw new Error(strictDecodingMessage(all));
  return decoded;
}

const head = (kind: string): string => `"apiVersion":"v1","kind":"${kind}","metadata":{"name":"x"}`;

describe("bodies", () => {
  it.each([
    ["ConfigMap", `{${head("ConfigMap")},"data":{"a":1}}`],
    ["ConfigMap", `{${head("ConfigMap")},"data":[]}`],
    ["ConfigMap", `{${head("ConfigMap")},"immutable":"x"}`],
    ["ConfigMap", `{${head("ConfigMap")},"binaryData":{"a":"!"}}`],
    ["ConfigMap", `{${head("ConfigMap")},"dta":{},"zz":1}`],
    ["ConfigMap", `{${head("ConfigMap")},"data":{"a":"1","a":"2"},"data":{}}`],
    ["ConfigMap", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","labels":{"a":1}}}`],
    ["ConfigMap", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","lbls":{}}}`],
    [
      "ConfigMap",
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","ownerReferences":[{"uid":"u","nme":1}]}}`,
    ],
    ["ConfigMap", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","generation":1.5}}`],
    ["ConfigMap", `{"apiVersion":"v1","kind":"ConfigMap","metadata":[]}`],
    ["ConfigMap", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"creationTimestamp":"yesterday"}}`],
    ["ConfigMap", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"creationTimestamp":"2026-13-01T00:00:00Z"}}`],
    ["ConfigMap", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"creationTimestamp":"2026-02-30T00:00:00Z"}}`],
    ["ConfigMap", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"creationTimestamp":"2026-02-03T25:00:00Z"}}`],
    ["Service", `{${head("Service")},"spec":{"ports":[{"port":"x"}]}}`],
    ["Service", `{${head("Service")},"spec":{"ports":{"port":1}}}`],
    ["Service", `{${head("Service")},"spec":{"type":1}}`],
    ["Service", `{${head("Service")},"spec":{"ipFamilies":{}}}`],
    ["Service", `{${head("Service")},"spec":{"ipFamilies":[true]}}`],
    ["Service", `{${head("Service")},"spec":{"selector":"x"}}`],
    ["Service", `{${head("Service")},"spec":[]}`],
    ["Service", `{${head("Service")},"status":{"conditions":[{"lastTransitionTime":5}]}}`],
    ["Service", `{${head("Service")},"spec":{"ports":[{"port":1,"targetPort":true}]}}`],
    ["Service", `{${head("Service")},"spec":{"ports":[{"port":1,"prt":2}],"slector":{}}}`],
    ["Service", `{${head("Service")},"spec":{"ports":[{"port":99999999999}]}}`],
  ])("a %s from %s", async (kind, text) => {
    const path = kind === "Service" ? SERVICES : MAPS;
    const answer = await api.send({
      method: "POST",
      path: `${path}?fieldValidation=Strict`,
      contentType: "application/json",
      body: text,
    });
    expect(answer.code).toBe(400);
    expect(answer.body.message).toContain(messageOf(() => decodeStrictly(text, kind)));
  });

  it.each(["{", "[", '{"a" 1}', "nope", '{"a":tru}', '{"a":1,}', '{"a":"\\x"}', '{"a":01}', '{"a":1}}'])(
    "%s, which is not JSON",
    async (text) => {
      const answer = await api.send({ method: "POST", path: MAPS, contentType: "application/json", body: text });
      expect(answer.code).toBe(400);
      expect(answer.body.message).toContain(messageOf(() => decodeJsonObject(text)));
    },
  );
});

describe("patches", () => {
  it.each(["{}", "[1]", '[{"op":1}]', "[", '[{"op":"add","path":3}]'])("the JSON patch %s", async (text) => {
    const answer = await api.send({
      method: "PATCH",
      path: `${MAPS}/${NAME}`,
      contentType: "application/json-patch+json",
      body: text,
    });
    expect([answer.code, answer.body.message]).toEqual([400, messageOf(() => decodeJsonPatch(text))]);
  });

  it.each(["- a\n", "a: 1\na: 2\napiVersion: v1\nkind: ConfigMap\n"])("the apply configuration %j", async (text) => {
    const path = `${MAPS}/${NAME}?fieldManager=m&fieldValidation=Strict`;
    const answer = await api.send({ method: "PATCH", path, contentType: "application/apply-patch+yaml", body: text });
    const mine = messageOf(() => {
      const [first] = decodeApplyConfiguration(text).strictErrors;
      throw new Error(first);
    });
    if (mine.startsWith("error decoding")) expect([answer.code, answer.body.message]).toEqual([400, mine]);
    else expect(answer.code).toBeGreaterThanOrEqual(400);
  });

  it.each([
    { data: { $patch: "nonsense" } },
    { data: { $retainKeys: "x" } },
    { data: { $retainKeys: ["a"], b: "1" } },
    { metadata: { "$setElementOrder/finalizers": "x" } },
    { metadata: { $deleteFromPrimitiveList: ["x"] } },
    { metadata: { finalizers: ["a", "b"], "$setElementOrder/finalizers": ["b", "a"] } },
    { metadata: { ownerReferences: [{ name: "x" }], "$setElementOrder/ownerReferences": [{ uid: "x" }] } },
  ] as JsonObject[])("the strategic patch %j", async (patch) => {
    const { body: live } = await api.send({ method: "GET", path: `${MAPS}/${NAME}` });
    const answer = await api.send({
      method: "PATCH",
      path: `${MAPS}/${NAME}`,
      contentType: "application/strategic-merge-patch+json",
      body: patch,
    });
    expect([answer.code, answer.body.message]).toEqual([
      codeOf(() => applyStrategicMergePatch(live, patch, "core.ConfigMap")),
      messageOf(() => applyStrategicMergePatch(live, patch, "core.ConfigMap")),
    ]);
  });
});

function codeOf(attempt: () => unknown): number {
  try {
    attempt();
  } catch (error) {
    return (error as { code: number }).code;
  }
  return 200;
}

describe("selectors", () => {
  it.each([
    "=a",
    "a,",
    "a b",
    "!",
    "!a=b",
    "a in",
    "a in (",
    "a in (b",
    "a in (,",
    "a==b==c",
    "-a",
    "a>b",
    "a=b@",
    "a/b/c=d",
    "/a",
    "A.b/c=d",
    "a=é",
    "a notin (b c)",
    "a in b",
  ])("the label selector %s", async (text) => {
    const answer = await api.send({ method: "GET", path: `${MAPS}?labelSelector=${encodeURIComponent(text)}` });
    expect([answer.code, answer.body.message]).toEqual([400, messageOf(() => parseLabelSelector(text))]);
  });

  it.each(["a", "metadata.name=b\\", "metadata.name=b\\x", "metadata.name=b=c"])(
    "the field selector %s",
    async (text) => {
      const answer = await api.send({ method: "GET", path: `${MAPS}?fieldSelector=${encodeURIComponent(text)}` });
      expect([answer.code, answer.body.message]).toEqual([400, messageOf(() => parseFieldSelector(text))]);
    },
  );
});
