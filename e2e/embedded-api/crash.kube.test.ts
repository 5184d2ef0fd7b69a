/** `metalwright apiserver` killed at a random moment under load, again and again: nothing acknowledged is lost or undone. */
import type { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Random, seededRandom, systemClock } from "#clock";
import { ServerProcess } from "./server-process.ts";
import { type Send, talk } from "./talk.ts";
import { WatchLog } from "./watch-log.ts";

const ROUNDS = Number(process.env.METALWRIGHT_CRASH_ROUNDS ?? 20);
const WRITERS = 8;
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

/** What one writer knows about its object: the last acknowledged content, and the write it never heard about. */
interface Belief {
  acknowledged: string | undefined;
  revision: number;
  attempted: string | undefined;
  unsure: boolean;
}

const server = new ServerProcess();
let pool: Pool;
beforeAll(() => server.start());
afterAll(() => server.dispose());

/** Creates, changes and deletes one object until the server is gone. */
async function write(send: Send, name: string, belief: Belief, random: Random): Promise<void> {
  const path = `${CONFIG_MAPS}/${name}`;
  for (let n = 0; ; n++) {
    const text = `${n}-${"x".repeat(Math.floor(random.next() * 5_000))}`;
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { text } };
    const remove = belief.acknowledged !== undefined && n % 7 === 6;
    belief.attempted = remove ? undefined : text;
    belief.unsure = true;
    const answer = await (remove
      ? send("DELETE", path)
      : belief.acknowledged === undefined
        ? send("POST", CONFIG_MAPS, object)
        : send("PUT", path, object));
    expect([200, 201]).toContain(answer.status);
    belief.unsure = false;
    belief.acknowledged = belief.attempted;
    if (!remove) belief.revision = Number(answer.body.metadata.resourceVersion);
  }
}

describe("SIGKILL under load", () => {
  it(`loses nothing in ${ROUNDS} rounds`, { timeout: 30_000 + ROUNDS * 10_000 }, async () => {
    const random = seededRandom(11);
    const beliefs = new Map<string, Belief>();
    for (let n = 0; n < WRITERS; n++) {
      beliefs.set(`w${n}`, { acknowledged: undefined, revision: 0, attempted: undefined, unsure: false });
    }
    pool = server.pool();
    const watch = new WatchLog(CONFIG_MAPS, (await talk(pool)("GET", CONFIG_MAPS)).body.metadata.resourceVersion);
    for (let round = 0; round < ROUNDS; round++) {
      const watching = watch.follow(pool);
      const writing = [...beliefs].map(([name, belief]) => write(talk(pool), name, belief, random));
      const ended = Promise.allSettled(writing);
      await systemClock.sleep(100 + random.next() * 400);
      await server.kill("SIGKILL");
      for (const outcome of await ended) expect(outcome).toMatchObject({ status: "rejected", reason: lostConnection });
      await watching;
      await pool.destroy();
      await server.start();
      pool = server.pool();
      await verify(watch, beliefs);
    }
    await pool.destroy();
  });
});

const lostConnection = expect.objectContaining({ message: expect.not.stringContaining("expected") });

/** The world after a restart against what was acknowledged before, and the watch resumed from where it was cut off. */
async function verify(watch: WatchLog, beliefs: ReadonlyMap<string, Belief>): Promise<void> {
  const send = talk(pool);
  const { items, metadata } = (await send("GET", CONFIG_MAPS)).body;
  const texts = new Map<string, string>();
  for (const item of items) texts.set(item.metadata.name, item.data.text);
  for (const [name, belief] of beliefs) {
    const now = texts.get(name);
    expect(belief.unsure ? [belief.acknowledged, belief.attempted] : [belief.acknowledged]).toContain(now);
    expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(belief.revision);
    Object.assign(belief, { acknowledged: now, attempted: undefined, unsure: false });
  }
  // A write of its own marks the end of what the resumed watch has to bring.
  const marker = await send("POST", CONFIG_MAPS, { metadata: { generateName: "marker-" }, data: { text: "m" } });
  await watch.follow(pool, Number(marker.body.metadata.resourceVersion));
  texts.set(marker.body.metadata.name, "m");
  expect(watch.state()).toEqual(texts);
  expect(watch.revisions).toEqual([...new Set(watch.revisions)].sort((a, b) => a - b));
}
