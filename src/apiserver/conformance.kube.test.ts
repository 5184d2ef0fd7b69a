/** Replays the same requests against the embedded API and a real kube-apiserver, and compares every answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { systemClock, systemRandom } from "#clock";
import { connect, loadConfig, type Transport } from "#kube";
import { comparableAnswer, NAMESPACE, PREPARATION, type Replayed, requestsFor, SAMPLES } from "./testing/replay.ts";
import { startTestApi, type TestApi } from "./testing/test-api.ts";

let api: TestApi;
let real: Transport;

beforeAll(async () => {
  api = await startTestApi();
  const services = { clock: systemClock, random: systemRandom };
  real = connect(await loadConfig({ env: process.env }), services);
  await askReal({
    method: "DELETE",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com",
  });
  await until({ method: "GET", path: "/apis/example.com/v1" }, 404);
  for (const step of PREPARATION) {
    await askReal(step);
    await ask(step);
  }
  await furnish();
  await api.server.idle();
  await until({ method: "GET", path: `/apis/example.com/v1/namespaces/${NAMESPACE}/widgets` }, 200);
});
afterAll(async () => {
  await real.close();
  await api.close();
});

describe.each(SAMPLES.map((sample) => [sample.kind, sample] as const))("%s", (_, sample) => {
  it.each(requestsFor(sample).map((step, i) => [i, label(step), step] as const))("%i %s", async (__, ___, step) => {
    const [ours, theirs] = [await ask(step), await askReal(step)];
    expect(ours).toEqual(theirs);
  });
});

/** kube-controller-manager puts two objects into every namespace; here they are put by hand, so that counts are equal. */
async function furnish(): Promise<void> {
  for (const [plural, name] of [
    ["serviceaccounts", "default"],
    ["configmaps", "kube-root-ca.crt"],
  ]) {
    const path = `/api/v1/namespaces/${NAMESPACE}/${plural}`;
    await until({ method: "GET", path: `${path}/${name}` }, 200);
    await ask({ method: "POST", path, body: { metadata: { name } } });
  }
}

async function until(step: Replayed, status: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await askReal(step)).status === status) return;
    await systemClock.sleep(200);
  }
  throw new Error(`${step.path} did not answer ${status}`);
}

function label({ method, path, body }: Replayed): string {
  return `${method} ${path} ${JSON.stringify(body ?? "").slice(0, 60)}`;
}

async function ask({ method, path, body, type, accept }: Replayed) {
  const answer = await api.send(method, path, body, { ...(type && { type }), ...(accept && { accept }) });
  return { status: answer.status, body: readable(answer.body) };
}

async function askReal({ method, path, body, type = "application/json", accept = "*/*" }: Replayed) {
  const response = await real.request({
    method,
    path,
    headers: { "content-type": type, "user-agent": "test/1", accept },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const isJson = String(response.headers["content-type"]).includes("json");
  return { status: response.status, body: readable(isJson ? JSON.parse(text) : text) };
}

function readable(body: unknown): unknown {
  if (typeof body === "string" && body.startsWith("apiVersion:")) return comparableAnswer(parse(body));
  return comparableAnswer(body as never);
}
