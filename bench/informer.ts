/** What an informer of 10,000 objects costs: time to sync, memory, delay of an update, and doing nothing. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { systemClock, systemRandom } from "#clock";
import type { Kind, KubeObject } from "#kinds";
import { type Client, connect, createClient, createInformer, type Informer, type Transport } from "#kube";
import { alternate, type Bench, median, percentile, type Report } from "./report.ts";

const COUNT = 10_000;
const RATE = 1000;
const SECONDS = 3;
const Rack: Kind = { group: "bench.io", version: "v1", kind: "Rack", plural: "racks", scope: "Cluster" };
const PATH = "/apis/bench.io/v1/racks";

export const informer: Bench = {
  name: "informer of 10,000 objects",
  async run(report) {
    const server = await startServer();
    const deps = { clock: systemClock, random: systemRandom };
    const config = { source: "bench", server: `http://127.0.0.1:${server.port}`, namespace: "default", user: {} };
    const transport = connect(config, deps);
    const client = createClient(transport, { ...deps, userAgent: "metalwright-bench" });
    try {
      await timeToSync(report, client, transport);
      await memory(report, client, transport);
      await latencyAndIdling(report, client, transport);
    } finally {
      await transport.close();
      await server.stop();
    }
  },
};

async function timeToSync(report: Report, client: Client, transport: Transport): Promise<void> {
  const { raw, streamed, listed } = await alternate(
    {
      raw: () => timed(() => rawList(transport)),
      streamed: () => timed(() => following(client, { watchList: true }, async () => {})),
      listed: () => timed(() => following(client, { watchList: false }, async () => {})),
    },
    5,
  );
  report.row("Time to sync 10,000 objects, ms", {
    "raw list and parse": raw,
    "ours, streamed (WatchList)": streamed,
    "ours, listed in pages": listed,
  });
  report.target("sync by WatchList over raw list and parse", streamed / raw, { atMost: 1.3 });
  report.target("sync by paged list over raw list and parse", listed / raw, { atMost: 1.3 });
}

async function memory(report: Report, client: Client, transport: Transport): Promise<void> {
  const raw = await heapPerObject(async (measure) => measure(await rawList(transport)));
  const ours = await heapPerObject((measure) => following(client, {}, measure));
  const metadata = await heapPerObject((measure) => following(client, { metadataOnly: true }, measure));
  report.row("Heap per object, bytes", { "parsed, as it came": raw, ours, "ours, metadata only": metadata });
  report.target("heap of ours over parsed", ours / raw, { atMost: 0.8 });
}

async function latencyAndIdling(report: Report, client: Client, transport: Transport): Promise<void> {
  await following(client, {}, async (informer) => {
    heapUsed(); // collects what syncing left behind, which is not idling's to pay for
    await systemClock.sleep(1000);
    const idle = await coreShareOf(() => systemClock.sleep(10_000));
    const rounds: Delivery[] = [];
    for (let round = 0; round < 3; round++) rounds.push(await deliver(informer, client, transport));
    const medianOf = (figure: (round: Delivery) => number) => median(rounds.map(figure));
    const p99 = medianOf(({ ours }) => percentile(ours, 0.99));
    const bare = medianOf(({ bare }) => percentile(bare, 0.99));
    const busy = medianOf(({ share }) => share);
    report.row("Delivery at 1,000 updates/s, ms, median of three rounds", {
      "p50, to a handler": medianOf(({ ours }) => percentile(ours, 0.5)),
      "p99, to a handler": p99,
      "p50, bare watch": medianOf(({ bare }) => percentile(bare, 0.5)),
      "p99, bare watch": bare,
    });
    report.row("Share of one core, %", {
      "idle, a bookmark every 5 s": 100 * idle,
      "at 1,000 updates/s, both": 100 * busy,
    });
    report.target("p99 of delivery to a handler over that of a bare watch beside it", p99 / bare, { atMost: 2 });
    report.target("idle informer, % of a core", 100 * idle, { atMost: 0.2 });
  });
}

/** How long after it was sent each update reached its reader, and what share of a core reading took. */
interface Delivery {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  readonly share: number;
}

/** The informer and a bare watch read the same updates at the same time, so that the machine's mood hits both. */
async function deliver(informer: Informer<KubeObject>, client: Client, transport: Transport): Promise<Delivery> {
  const [ours, bare]: [number[], number[]] = [[], []];
  const leave = informer.subscribe({ updated: (_, after) => ours.push(delayOf(after)) });
  const stop = new AbortController();
  const reading = readBare(client, bare, stop.signal);
  const share = await coreShareOf(() => get(transport, `/updates?rate=${RATE}&seconds=${SECONDS}`));
  await arrived(ours);
  leave();
  stop.abort();
  await reading;
  return { ours, bare, share };
}

async function readBare(client: Client, delays: number[], signal: AbortSignal): Promise<void> {
  try {
    for await (const event of client.watch(Rack, { resourceVersion: "1", signal }))
      if (event.type !== "BOOKMARK") delays.push(delayOf(event.object));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Runs `use` on an informer that has synced, and ends it. */
async function following<T>(
  client: Client,
  options: { readonly watchList?: boolean; readonly metadataOnly?: boolean },
  use: (informer: Informer<KubeObject>) => Promise<T> | T,
): Promise<T> {
  const { watchList = true, metadataOnly = false } = options;
  const settings = { client, clock: systemClock, random: systemRandom, watchList, onError: fail };
  const informer = createInformer(settings, Rack, { metadataOnly });
  const stop = new AbortController();
  const run = informer.run(stop.signal);
  await informer.synced(AbortSignal.timeout(60_000));
  if (informer.list().length !== COUNT) throw new Error(`synced ${informer.list().length} objects of ${COUNT}`);
  try {
    return await use(informer);
  } finally {
    stop.abort();
    await run;
  }
}

async function rawList(transport: Transport): Promise<KubeObject[]> {
  const { items } = (await get(transport, PATH)) as { items: KubeObject[] };
  return items;
}

async function get(transport: Transport, path: string): Promise<unknown> {
  const answer = await transport.request({ method: "GET", path, signal: AbortSignal.timeout(60_000) });
  return JSON.parse(await answer.text());
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

/** What the heap holds more while `fill` keeps its objects alive, which it does until `measure` returns. */
async function heapPerObject(fill: (measure: (kept: unknown) => number) => Promise<number>): Promise<number> {
  const before = heapUsed();
  return (await fill(() => heapUsed() - before)) / COUNT;
}

function heapUsed(): number {
  if (!globalThis.gc) throw new Error("run with --expose-gc (scripts/run-ts.mjs does)");
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

async function coreShareOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  const elapsedMs = await timed(run);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / elapsedMs;
}

/** The machine's monotonic clock is the same in every process. */
function delayOf(object: KubeObject): number {
  const sentAt = BigInt(object.metadata.annotations?.["bench.io/sent-at"] ?? "0");
  return Number(process.hrtime.bigint() - sentAt) / 1e6;
}

async function arrived(delays: readonly number[]): Promise<void> {
  const giveUp = AbortSignal.timeout(10_000);
  while (delays.length < RATE * SECONDS) await systemClock.sleep(10, giveUp);
}

function fail(error: unknown): never {
  throw error;
}

async function startServer() {
  const args = ["scripts/run-ts.mjs", "bench/synthetic-api.ts", `${COUNT}`];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const port = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`the synthetic API ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  return { port, stop };
}
