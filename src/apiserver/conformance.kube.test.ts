/** Replays the same requests against the embedded API and a real kube-apiserver, and compares every answer. */

import { readFileSync } from "node:fs";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { systemClock } from "#clock";
import { comparableAnswer, NAMESPACE, PREPARATION, type Replayed, requestsFor, SAMPLES } from "./testing/replay.ts";
import { startTestApi, type TestApi } from "./testing/test-api.ts";

let api: TestApi;
let real: { url: string; agent: Agent };

beforeAll(async () => {
  api = await startTestApi();
  real = connectReal(process.env.KUBECONFIG ?? "");
  await askReal({
    method: "DELETE",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com",
  });
  await until({ method: "GET", path: "/apis/example.com/v1" }, 404);
  for (const step of PREPARATION) {
    await askReal(step);
    await ask(step);
  }
  await api.server.idle();
  await until({ method: "GET", path: `/apis/example.com/v1/namespaces/${NAMESPACE}/widgets` }, 200);
});
afterAll(async () => {
  await real.agent.close();
  await api.close();
});

describe.each(SAMPLES.map((sample) => [sample.kind, sample] as const))("%s", (_, sample) => {
  it.each(requestsFor(sample).map((step, i) => [i, label(step), step] as const))("%i %s", async (__, ___, step) => {
    const [ours, theirs] = [await ask(step), await askReal(step)];
    expect(ours).toEqual(theirs);
  });
});

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

async function askReal({ method, path, body, type = "application/json", accept }: Replayed) {
  const response = await request(real.url + path, {
    method,
    headers: { "content-type": type, "user-agent": "test/1", ...(accept && { accept }) },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    dispatcher: real.agent,
  });
  const text = await response.body.text();
  const isJson = String(response.headers["content-type"]).includes("json");
  return { status: response.statusCode, body: readable(isJson ? JSON.parse(text) : text) };
}

function readable(body: unknown): unknown {
  if (typeof body === "string" && body.startsWith("apiVersion:")) return comparableAnswer(parse(body));
  return comparableAnswer(body as never);
}

function connectReal(file: string): { url: string; agent: Agent } {
  const config = parse(readFileSync(file, "utf8"));
  const [{ cluster }] = config.clusters;
  const [{ user }] = config.users;
  const read = (holder: Record<string, string>, field: string): string =>
    holder[`${field}-data`]
      ? Buffer.from(holder[`${field}-data`] ?? "", "base64").toString("utf8")
      : readFileSync(holder[field] ?? "", "utf8");
  const connect = {
    ca: read(cluster, "certificate-authority"),
    cert: read(user, "client-certificate"),
    key: read(user, "client-key"),
  };
  return { url: cluster.server, agent: new Agent({ connect }) };
}
