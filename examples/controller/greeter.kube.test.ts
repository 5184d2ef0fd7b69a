import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "#clock";
import { ConfigMap, Lease } from "#kinds";
import { createManager } from "#kube";
import { type RealApi, realApi } from "../../src/kube/testing/real-api.ts";
import { greeter } from "./greeter.ts";

let api: RealApi;
beforeAll(async () => {
  api = await realApi({ greeting: "wanted" });
});
afterAll(() => api.close());

it("greets on a real API server, restores what was changed or taken down, and gives its lease back", async () => {
  const { client, namespace } = api;
  const lease = { namespace, name: "greeter" };
  const manager = createManager({
    connect: api.fencedBy,
    clock: systemClock,
    logger: pino({ level: "silent" }),
    election: { lease },
  }).add(greeter);
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  const key = { namespace, name: "greeting" };
  const hello = async (): Promise<string | undefined> => (await client.find(ConfigMap, key))?.data?.hello;
  const greeted = { timeout: 10_000, interval: 50 };
  await expect.poll(hello, greeted).toBe(`Hello, ${namespace}!`);
  await client.patch(ConfigMap, key, { type: "merge", body: { data: { hello: "Go away" } } });
  await expect.poll(hello, greeted).toBe(`Hello, ${namespace}!`);
  const { uid } = (await client.get(ConfigMap, key)).metadata;
  await client.delete(ConfigMap, key);
  const freshUid = async () => (await client.find(ConfigMap, key))?.metadata.uid ?? uid;
  await expect.poll(freshUid, greeted).not.toBe(uid);
  expect((await client.get(Lease, lease)).spec?.holderIdentity).not.toBe("");
  stop.abort();
  expect(await running).toEqual({ ended: "stopped" });
  expect((await client.get(Lease, lease)).spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
});
