/** The informer through the real client on a real kube-apiserver, with a line in between that can be cut and held. */
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seconds, systemClock, systemRandom } from "#clock";
import { ConfigMap, Namespace } from "#kinds";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import type { ConnectionConfig } from "../config/connection-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { connect } from "../transport/connect.ts";
import type { Transport } from "../transport/transport.ts";
import { type CachingInformer, createInformer, type InformerSettings } from "./create-informer.ts";
import type { InformerOptions } from "./informer.ts";

const deps = { clock: systemClock, random: systemRandom };
const namespace = `informer-${process.pid}-${Math.floor(systemClock.now().getTime() / 1000)}`;
const at = (name: string) => ({ name, namespace });
const labelled = (test: string, name: string, value = "1") => ({
  metadata: { ...at(name), labels: { test } },
  data: { value },
});
const change = (value: string) => ({ type: "merge", body: { data: { value } } }) as const;

/** A TCP line to the API server: `cut` tears every connection, `hold` lets nothing through any more on those there are. */
class Line {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #server;

  constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = dial(Number(target.port), target.hostname);
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      near.pipe(far).pipe(near);
      for (const end of pair) {
        end.on("error", () => {});
        end.on("close", () => {
          for (const each of pair) each.destroy();
          this.#pairs.delete(pair);
        });
      }
    });
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const [near, far] of this.#pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  hold(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe();
      far.unpipe();
    }
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

let direct: { client: Client; transport: Transport };
let throughLine: { client: Client; transport: Transport };
let line: Line;

function reach(config: ConnectionConfig) {
  const transport = connect(config, deps);
  return { transport, client: createClient(transport, { ...deps, userAgent: "metalwright-test" }) };
}

beforeAll(async () => {
  const config = await loadConfig({ env: process.env });
  direct = reach(config);
  line = new Line(new URL(config.server));
  throughLine = reach({ ...config, server: `https://127.0.0.1:${await line.open()}` });
  await direct.client.create(Namespace, { metadata: { name: namespace } });
});

afterAll(async () => {
  await direct.client.delete(Namespace, namespace);
  await throughLine.transport.close();
  await direct.transport.close();
  await line.close();
});

interface Followed {
  readonly informer: CachingInformer<ConfigMap>;
  readonly told: string[];
  /** Waits until the informer has been told this, in this order, among other things. */
  hears(...expected: string[]): Promise<void>;
}

/** Runs an informer over the line on the objects whose label names this test, and sees that it ends. */
async function follow(
  selection: string,
  options: { settings?: Partial<InformerSettings>; informer?: InformerOptions<ConfigMap> },
  use: (followed: Followed) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const settings = { client: throughLine.client, ...deps, onError, ...options.settings };
  const informer = createInformer(settings, ConfigMap, {
    namespace,
    labelSelector: `test=${selection}`,
    ...options.informer,
  });
  const told: string[] = [];
  const say = (verb: string) => (object: ConfigMap) =>
    told.push(`${verb} ${object.metadata.name} ${object.data?.value ?? "-"}`);
  informer.subscribe({
    added: (object, initial) => say(initial ? "initial" : "added")(object),
    updated: (_, after) => say("updated")(after),
    deleted: say("deleted"),
  });
  const stop = new AbortController();
  const run = informer.run(stop.signal);
  const hears = async (...expected: string[]) => {
    await expect.poll(() => told, { timeout: 30_000, interval: 20 }).toEqual(expected);
  };
  try {
    await informer.synced(AbortSignal.timeout(20_000));
    await use({ informer, told, hears });
    expect(errors).toEqual([]);
  } finally {
    stop.abort();
    await run;
  }
}

describe.each([true, false])("on a real API server, WatchList: %s", (watchList) => {
  it("follows what happens, in order", async () => {
    const test = `follows-${watchList}`;
    const { client } = direct;
    await client.create(ConfigMap, labelled(test, `${test}-a`));
    await follow(test, { settings: { watchList } }, async ({ informer, hears }) => {
      await client.create(ConfigMap, labelled(test, `${test}-b`));
      await client.patch(ConfigMap, at(`${test}-a`), change("2"));
      await client.delete(ConfigMap, at(`${test}-b`));
      await hears(`initial ${test}-a 1`, `added ${test}-b 1`, `updated ${test}-a 2`, `deleted ${test}-b 1`);
      const kept = informer.get(at(`${test}-a`));
      expect(kept).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { value: "2" } });
      expect(kept?.metadata.managedFields).toBeUndefined();
      expect(informer.lastError).toBeUndefined();
    });
  });

  it("resumes after the line was cut, missing nothing and telling nothing twice", async () => {
    const test = `cut-${watchList}`;
    const { client } = direct;
    const name = `${test}-a`;
    await client.create(ConfigMap, labelled(test, name));
    await follow(test, { settings: { watchList } }, async ({ hears }) => {
      const expected = [`initial ${name} 1`];
      for (let round = 2; round < 5; round++) {
        line.cut();
        await client.patch(ConfigMap, at(name), change(`${round}`));
        expected.push(`updated ${name} ${round}`);
        await hears(...expected);
      }
      line.cut();
      await client.delete(ConfigMap, at(name));
      await client.create(ConfigMap, labelled(test, name, "new"));
      await hears(...expected, `deleted ${name} 4`, `added ${name} new`);
    });
  });

  it("abandons a line that fell silent and resumes on another", async () => {
    const test = `silent-${watchList}`;
    const { client } = direct;
    const name = `${test}-a`;
    await client.create(ConfigMap, labelled(test, name));
    await follow(test, { settings: { watchList, silenceMs: seconds(3) } }, async ({ hears }) => {
      line.hold();
      await client.patch(ConfigMap, at(name), change("2"));
      await hears(`initial ${name} 1`, `updated ${name} 2`);
    });
    // What else was held is of no use to the tests that follow.
    line.cut();
  });
});

it("keeps metadata alone when asked, and reads live what is gone", async () => {
  const { client } = direct;
  await client.create(ConfigMap, labelled("meta", "meta-a"));
  await follow("meta", { informer: { metadataOnly: true } }, async ({ informer, hears }) => {
    expect(informer.get(at("meta-a"))).not.toHaveProperty("data");
    expect(informer.get(at("meta-a"))).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
    await client.delete(ConfigMap, at("meta-a"));
    await hears("initial meta-a -", "deleted meta-a -");
    expect(informer.observe(at("meta-a"))).toMatchObject({ known: false });
    const live = await informer.observeLive(at("meta-a"), AbortSignal.timeout(10_000));
    expect(live).toMatchObject({ known: true, present: false, source: "live" });
  });
});

it("lists more than a page and follows on from there", async () => {
  const { client } = direct;
  const names = Array.from({ length: 25 }, (_, i) => `page-${i.toString().padStart(2, "0")}`);
  for (const name of names) await client.create(ConfigMap, labelled("page", name));
  await follow("page", { settings: { watchList: false, pageSize: 10 } }, async ({ informer, hears }) => {
    await client.delete(ConfigMap, at("page-00"));
    await hears(...names.map((name) => `initial ${name} 1`), "deleted page-00 1");
    expect(informer.list()).toHaveLength(24);
  });
});
