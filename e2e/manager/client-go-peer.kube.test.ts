/** One Lease, two kinds of elector: ours, and client-go's inside a real kube-controller-manager. Neither may take from the other. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock as clock, seededRandom } from "#clock";
import { Lease } from "#kinds";
import { Election, LeaseFence } from "#kube";
import { type RealApi, realApi } from "../../src/kube/testing/real-api.ts";
import { ManagedProcess } from "../control-plane/process.ts";
import { timing } from "./timing.ts";

let api: RealApi;
let dir: string;
let peer: ManagedProcess | undefined;
beforeEach(async () => {
  api = await realApi();
  dir = await mkdtemp(join(tmpdir(), "peer-"));
});
afterEach(async () => {
  await peer?.stop(0);
  await api.close();
  await rm(dir, { recursive: true, force: true });
});

const soon = { timeout: 30_000, interval: 50 };
const { signal } = new AbortController();

function startPeer(name: string): ManagedProcess {
  const program = join(dirname(`${process.env.METALWRIGHT_KUBECTL}`), "kube-controller-manager");
  const flags = [
    `--kubeconfig=${process.env.KUBECONFIG}`,
    "--secure-port=0",
    "--controllers=ttl-after-finished-controller",
    `--leader-elect-lease-duration=${timing.leaseDurationMs}ms`,
    `--leader-elect-renew-deadline=${timing.renewDeadlineMs}ms`,
    `--leader-elect-retry-period=${timing.retryPeriodMs}ms`,
    `--leader-elect-resource-name=${name}`,
    `--leader-elect-resource-namespace=${api.namespace}`,
  ];
  return new ManagedProcess("peer", program, flags, join(dir, "peer.log"));
}

it("waits for a client-go elector and is waited for, in one record", async () => {
  const { client, namespace } = api;
  const where = { namespace, name: "shared" };
  const record = async () => (await client.get(Lease, where)).spec ?? {};
  const candidate = (identity: string): Election =>
    new Election({
      client,
      clock,
      random: seededRandom(1),
      fence: new LeaseFence(clock),
      lease: where,
      identity,
      timing,
    });

  const ours = candidate("ours");
  await ours.acquire(signal);
  const stop = new AbortController();
  const holding = ours.hold(stop.signal);
  peer = startPeer("shared");
  await expect.poll(async () => peer?.lastLines(50), soon).toMatch(/attempting to acquire leader lease/i);
  const { renewTime } = await record();
  await expect
    .poll(async () => Date.parse(`${(await record()).renewTime}`), soon)
    .toBeGreaterThan(Date.parse(`${renewTime}`) + 6_000);
  expect(await record()).toMatchObject({ holderIdentity: "ours", leaseTransitions: 0 });

  stop.abort();
  expect(await holding).toEqual({ lost: false });
  await ours.release();
  await expect.poll(async () => (await record()).leaseTransitions, soon).toBe(1);
  const peerName = (await record()).holderIdentity;
  expect(peerName).not.toBe("ours");

  const after = candidate("after");
  const turn = new AbortController();
  const acquired = after.acquire(turn.signal).then(() => true);
  const held = await Promise.race([acquired, clock.sleep(6_000).then(() => false)]);
  expect(held).toBe(false);
  expect((await record()).holderIdentity).toBe(peerName);
  peer.signal("SIGKILL");
  expect(await acquired).toBe(true);
  expect(await record()).toMatchObject({ holderIdentity: "after", leaseTransitions: 2 });
});
