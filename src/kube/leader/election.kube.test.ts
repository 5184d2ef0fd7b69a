import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock as clock, seededRandom } from "#clock";
import { Lease } from "#kinds";
import { type RealApi, realApi } from "../testing/real-api.ts";
import { Election } from "./election.ts";
import { LeaseFence } from "./lease-fence.ts";

let api: RealApi;
beforeAll(async () => {
  api = await realApi();
});
afterAll(() => api.close());

it("acquires, renews, hands over and releases a Lease the real API server accepts", async () => {
  const { client, namespace } = api;
  const lease = { namespace, name: "leader" };
  const timing = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryPeriodMs: 200 };
  const candidate = (identity: string): Election =>
    new Election({ client, clock, random: seededRandom(1), fence: new LeaseFence(clock), lease, identity, timing });
  const { signal } = new AbortController();
  const first = candidate("first");
  await first.acquire(signal);
  const acquired = (await client.get(Lease, lease)).spec;
  const stop = new AbortController();
  const holding = first.hold(stop.signal);
  const renewed = async () => (await client.get(Lease, lease)).spec?.renewTime;
  await expect.poll(renewed, { timeout: 5_000 }).not.toBe(acquired?.renewTime);
  stop.abort();
  expect(await holding).toEqual({ lost: false });
  expect(await first.release()).toBe(true);
  await candidate("second").acquire(signal);
  const { spec } = await client.get(Lease, lease);
  expect(spec).toMatchObject({ holderIdentity: "second", leaseDurationSeconds: 3, leaseTransitions: 1 });
  expect(spec?.acquireTime).toMatch(/\.\d{6}Z$/);
});
