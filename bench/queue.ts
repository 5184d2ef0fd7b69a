/** What a work queue costs with 100,000 keys in it, beside the least that could be called one: a Set and an array. */
import { systemClock } from "#clock";
import { createWorkQueue } from "../src/kube/queue/create-work-queue.ts";
import { alternate, type Bench, type Report } from "./report.ts";

const KEYS = 100_000;
const keys = Array.from({ length: KEYS }, (_, i) => `namespace-${i % 50}/object-${i}`);

export const queue: Bench = {
  name: "work queue with 100,000 keys",
  async run(report) {
    await contest(report, "one priority", () => fillAndDrain(() => 0));
    await contest(report, "five priorities", () => fillAndDrain((i) => i % 5));
    const depth = await alternate({ few: () => takesPerSecond(1000), many: () => takesPerSecond(KEYS) }, 5);
    report.row("Takes per second by depth", { "1,000 keys": depth.few, "100,000 keys": depth.many });
    report.target("takes at 1,000 keys over takes at 100,000", depth.few / depth.many, { atMost: 3 });
    const { delayed } = await alternate({ delayed: delayedAddsPerSecond });
    report.row("Delayed adds per second", { "addAfter, 100,000 keys": delayed });
    report.target("delayed adds per second", delayed, { atLeast: 100_000 });
  },
};

interface Figures {
  readonly adds: number;
  readonly takes: number;
}

async function contest(report: Report, title: string, ours: () => Promise<Figures>): Promise<void> {
  const figures = await alternate(
    {
      adds: async () => (await ours()).adds,
      plainAdds: async () => (await fillAndDrainPlain()).adds,
      takes: async () => (await ours()).takes,
      plainTakes: async () => (await fillAndDrainPlain()).takes,
    },
    5,
  );
  const { adds, plainAdds, takes, plainTakes } = figures;
  const names = { "plain adds/s": plainAdds, "plain takes/s": plainTakes };
  report.row("Adding each key twice; taking and finishing each", {
    queue: title,
    "adds/s": adds,
    "takes/s": takes,
    ...names,
  });
  report.target(`${title}: plain adds over ours`, plainAdds / adds, { atMost: 5 });
  report.target(`${title}: plain takes over ours`, plainTakes / takes, { atMost: 5 });
}

async function fillAndDrain(priority: (at: number) => number): Promise<Figures> {
  const queue = createWorkQueue({ clock: systemClock });
  const adds = await perSecond(2 * KEYS, () => {
    for (const [i, key] of keys.entries()) queue.add(key, { priority: priority(i) });
    for (const key of keys) queue.add(key);
  });
  const takes = await perSecond(KEYS, async () => {
    for (let i = 0; i < KEYS; i++) queue.done((await queue.take()) ?? "");
  });
  return { adds, takes };
}

/** The same with neither delays nor priorities nor exclusion, but the same promise per take. */
async function fillAndDrainPlain(): Promise<Figures> {
  const waiting = new Set<string>();
  const order: string[] = [];
  let head = 0;
  const add = (key: string): void => {
    if (waiting.has(key)) return;
    waiting.add(key);
    order.push(key);
  };
  const take = async (): Promise<string | undefined> => order[head++];
  const adds = await perSecond(2 * KEYS, () => {
    for (const key of keys) add(key);
    for (const key of keys) add(key);
  });
  const takes = await perSecond(KEYS, async () => {
    for (let i = 0; i < KEYS; i++) waiting.delete((await take()) ?? "");
  });
  return { adds, takes };
}

/** Every key comes back as soon as it is done, so that the queue stays as deep as it was. */
async function takesPerSecond(depth: number): Promise<number> {
  const queue = createWorkQueue({ clock: systemClock });
  for (const key of keys.slice(0, depth)) queue.add(key);
  return perSecond(KEYS, async () => {
    for (let i = 0; i < KEYS; i++) {
      const key = (await queue.take()) ?? "";
      queue.done(key);
      queue.add(key);
    }
  });
}

async function delayedAddsPerSecond(): Promise<number> {
  const queue = createWorkQueue({ clock: systemClock });
  const figure = await perSecond(KEYS, () => {
    for (const [i, key] of keys.entries()) queue.addAfter(key, 3_600_000 + ((i * 7919) % 1_000_000));
  });
  queue.shutDown();
  return figure;
}

async function perSecond(times: number, run: () => void | Promise<void>): Promise<number> {
  const began = performance.now();
  await run();
  return (times / (performance.now() - began)) * 1000;
}
