/** An API server that is killed and started again while a thousand writes are under way. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { minutes, systemClock, systemRandom } from "#clock";
import { ConfigMap } from "#kinds";
import { type ControlPlane, startControlPlane } from "../../../e2e/control-plane/start.ts";
import { loadConfig } from "../config/load-config.ts";
import { connect } from "../transport/connect.ts";
import type { Transport } from "../transport/transport.ts";
import type { Client } from "./client.ts";
import { createClient } from "./create-client.ts";
import { isConflict, OutcomeUnknown } from "./errors.ts";

const COUNTERS = 20;
const WRITES = 1000;

let plane: ControlPlane;
let transport: Transport;
let client: Client;

beforeAll(async () => {
  plane = await startControlPlane();
  transport = connect(await loadConfig({ kubeconfig: plane.kubeconfig, env: {} }), {
    clock: systemClock,
    random: systemRandom,
  });
  client = createClient(transport, { clock: systemClock, random: systemRandom, userAgent: "metalwright-test" });
});
afterAll(async () => {
  await transport?.close();
  await plane?.stop();
});

const options = { timeoutMs: minutes(1) };
const counter = (n: number) => ({ namespace: "default", name: `counter-${n % COUNTERS}` });
const created = (n: number) => ({ namespace: "default", name: `created-${n}` });

interface Tally {
  written: number;
  unknown: number;
}

/** Adds one to a counter by compare-and-swap; an unknown outcome is counted and not repeated. */
async function increase(n: number, tally: Tally): Promise<void> {
  for (;;) {
    try {
      const before = await client.get(ConfigMap, counter(n), options);
      const data = { count: String(Number(before.data?.count) + 1) };
      await client.patchDifference(ConfigMap, before, { ...before, data }, options);
      tally.written++;
      return;
    } catch (error) {
      if (isConflict(error)) continue;
      if (!(error instanceof OutcomeUnknown)) throw error;
      tally.unknown++;
      return;
    }
  }
}

test(
  "nothing reported as written is missing, and nothing was written twice",
  async () => {
    for (let n = 0; n < COUNTERS; n++) await client.create(ConfigMap, { metadata: counter(n), data: { count: "0" } });
    const tallies: Tally[] = Array.from({ length: COUNTERS }, () => ({ written: 0, unknown: 0 }));
    const reported: string[] = [];
    const uncertain = new Set<string>();
    let done = 0;
    let next = 0;
    // Held back so that writes are left for every crash, however fast the server is again.
    let allowed = 0;
    const admitted = async (n: number): Promise<void> => {
      while (n >= allowed && n < WRITES) await systemClock.sleep(2);
    };
    const worker = async (): Promise<void> => {
      for (let n = next++; n < WRITES; n = next++, done++) {
        await admitted(n);
        if (n % 2 === 0) {
          await increase(n, tallies[n % COUNTERS] as Tally);
          continue;
        }
        const { name } = created(n);
        try {
          await client.create(ConfigMap, { metadata: created(n), data: { n: String(n) } }, options);
          reported.push(name);
        } catch (error) {
          if (!(error instanceof OutcomeUnknown)) throw error;
          uncertain.add(name);
        }
      }
    };
    const workers = Promise.all(Array.from({ length: 16 }, worker));
    const reached = async (count: number): Promise<void> => {
      while (done < count) await systemClock.sleep(2);
    };
    for (const crashAt of [250, 600]) {
      allowed = crashAt + 150;
      await reached(crashAt);
      await plane.killApiServer();
      expect(done).toBeLessThan(allowed);
      await plane.startApiServer();
    }
    allowed = WRITES;
    await workers;

    const { items } = await client.list(ConfigMap, { namespace: "default" });
    const found = items.map(({ metadata }) => metadata.name ?? "").filter((name) => name.startsWith("created-"));
    expect(new Set(found).size).toBe(found.length);
    expect(reported.filter((name) => !found.includes(name))).toEqual([]);
    expect(found.filter((name) => !reported.includes(name) && !uncertain.has(name))).toEqual([]);
    tallies.forEach(({ written, unknown }, n) => {
      const count = Number(items.find(({ metadata }) => metadata.name === `counter-${n}`)?.data?.count);
      expect(count).toBeGreaterThanOrEqual(written);
      expect(count).toBeLessThanOrEqual(written + unknown);
    });
    expect(reported.length + uncertain.size).toBe(WRITES / 2);
    expect(tallies.reduce((sum, { written, unknown }) => sum + written + unknown, 0)).toBe(WRITES / 2);
  },
  minutes(4),
);
