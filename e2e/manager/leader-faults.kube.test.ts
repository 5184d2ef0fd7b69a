/** Two replicas as real processes on a real API server, and what happens to the one that leads. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { Lease } from "#kinds";
import type { ManagedProcess } from "../control-plane/process.ts";
import { openScene, type Scene } from "./scene.ts";
import { timing } from "./timing.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const soon = { timeout: 30_000, interval: 50 };

/** Its logger and its own last line share the output, and which of them is written last is not settled. */
const lastWords = (process: ManagedProcess): Promise<string> => process.lastLines(4);

/** The first replica leads and works; the second is there and waits. */
async function leaderAndStandby(guard?: "unguarded"): Promise<{ leader: ManagedProcess; standby: ManagedProcess }> {
  const leader = scene.start("alpha", guard);
  await expect.poll(() => scene.stamps("alpha").length, soon).toBeGreaterThan(8);
  const standby = scene.start("beta");
  const waits = () => scene.proxy.seen.some(({ from, path }) => from === "beta" && path.includes("/leases/"));
  await expect.poll(waits, soon).toBe(true);
  expect(scene.stamps("beta")).toEqual([]);
  return { leader, standby };
}

/** Freezes the leader until the other leads, and lets it go on. What it sent after that. */
async function freezePastLease(leader: ManagedProcess): Promise<readonly string[]> {
  leader.signal("SIGSTOP");
  await expect.poll(() => scene.stamps("beta").length, soon).toBeGreaterThan(8);
  const woke = performance.now();
  leader.signal("SIGCONT");
  await expect.poll(() => leader.running, soon).toBe(false);
  return scene.proxy.seen
    .filter(({ from, at }) => from === "alpha" && at >= woke)
    .map(({ method, path }) => `${method} ${path}`);
}

it("a leader killed outright: the other takes over, and never before the lease is over", async () => {
  const { leader } = await leaderAndStandby();
  leader.signal("SIGKILL");
  await expect.poll(() => scene.stamps("beta").length, soon).toBeGreaterThan(8);
  const [lastOfAlpha, firstOfBeta] = [scene.stamps("alpha").at(-1)?.at ?? 0, scene.stamps("beta")[0]?.at ?? 0];
  expect(firstOfBeta - lastOfAlpha).toBeGreaterThan(timing.leaseDurationMs - timing.renewDeadlineMs);
  const { spec } = await scene.api.client.get(Lease, { namespace: scene.api.namespace, name: "stamper" });
  expect(spec).toMatchObject({ holderIdentity: "beta", leaseTransitions: 1 });
});

it("a leader told to stop hands over without waiting for the lease to run out", async () => {
  const { leader } = await leaderAndStandby();
  await leader.stop();
  const ended = performance.now();
  await expect.poll(() => scene.stamps("beta").length, soon).toBeGreaterThan(0);
  expect((scene.stamps("beta")[0]?.at ?? 0) - ended).toBeLessThan(timing.leaseDurationMs - 500);
  await expect.poll(() => lastWords(leader), soon).toContain('{"ended":"stopped"}');
});

it("a leader frozen past its lease starts no request when it wakes, and ends", async () => {
  const { leader } = await leaderAndStandby();
  expect(await freezePastLease(leader)).toEqual([]);
  await expect.poll(() => lastWords(leader), soon).toMatch(/"ended":"lease lost"/);
});

it("mutation check: without its fence the same leader is caught writing after its lease", async () => {
  const { leader } = await leaderAndStandby("unguarded");
  const late = await freezePastLease(leader);
  expect(late.some((request) => request.startsWith("PATCH") && request.includes("/configmaps/stamped"))).toBe(true);
});
