/** The embedded API beside a real kube-apiserver with etcd, both syncing every write: speed, fan-out, memory, start. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { parse } from "yaml";
import { systemClock } from "#clock";
import { startControlPlane } from "../e2e/control-plane/start.ts";
import { alternate, type Bench, type Report } from "./report.ts";

const CRDS = 19;
const OBJECTS = Number(process.env.METALWRIGHT_BENCH_OBJECTS ?? 5_000);
const ROUND_MS = 2_000;
const WIDGETS = "/apis/bench.example.com/v1/namespaces/default/kind0s";

interface Contender {
  readonly pool: Pool;
  /** Watches have connections of their own. */
  readonly watching: Pool;
  readonly startMs: number;
  /** Anonymous resident memory in megabytes: without file-mapped pages. */
  memoryMb(): number;
  stop(): Promise<void>;
}

export const apiServer: Bench = {
  name: "embedded API server",
  async run(report) {
    const embedded = await startEmbedded();
    const real = await startReal();
    try {
      for (const contender of [embedded, real]) await load(contender);
      await compareRates(report, embedded, real);
      await compareLists(report, embedded, real);
      await compareFanOut(report, embedded, real);
      compareCosts(report, embedded, real);
    } finally {
      await embedded.stop();
      await real.stop();
    }
  },
};

async function startEmbedded(): Promise<Contender> {
  const data = mkdtempSync(join(tmpdir(), "metalwright-bench-"));
  const began = performance.now();
  const child = spawn(process.execPath, ["dist/metalwright.js", "apiserver", "--data", data, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve) => child.stdout.on("data", (text: Buffer) => text.includes("ready") && resolve()));
  return {
    ...pools(join(data, "kubeconfig")),
    startMs: performance.now() - began,
    memoryMb: () => anonymousMb(child.pid ?? 0),
    stop: async () => {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(data, { recursive: true });
    },
  };
}

async function startReal(): Promise<Contender> {
  const began = performance.now();
  const plane = await startControlPlane({ fsync: true });
  return {
    ...pools(plane.kubeconfig),
    startMs: performance.now() - began,
    memoryMb: () => anonymousMb(plane.pids.apiServer) + anonymousMb(plane.pids.etcd),
    stop: () => plane.stop(),
  };
}

function anonymousMb(pid: number): number {
  const [, kilobytes] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

function pools(kubeconfig: string): Pick<Contender, "pool" | "watching"> {
  return { pool: connect(kubeconfig, 32), watching: connect(kubeconfig, WATCHERS) };
}

function connect(kubeconfig: string, connections: number): Pool {
  const config = parse(readFileSync(kubeconfig, "utf8"));
  const [{ cluster }] = config.clusters;
  const [{ user }] = config.users;
  const pem = (holder: Record<string, string>, field: string): string | undefined => {
    const inline = holder[`${field}-data`];
    if (inline) return Buffer.from(inline, "base64").toString("utf8");
    return holder[field] && readFileSync(holder[field], "utf8");
  };
  const tls = {
    ca: pem(cluster, "certificate-authority"),
    cert: pem(user, "client-certificate"),
    key: pem(user, "client-key"),
  };
  const headers: Record<string, string> = user.token ? { authorization: `Bearer ${user.token}` } : {};
  const pool = new Pool(cluster.server, { connections, connect: tls, bodyTimeout: 0 });
  credentials.set(pool, headers);
  return pool;
}

const credentials = new WeakMap<Pool, Record<string, string>>();

async function send(
  { pool }: Contender,
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: unknown,
): Promise<string> {
  const headers = { ...credentials.get(pool), "content-type": "application/json" };
  const response = await pool.request({
    method,
    path,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`);
  return text;
}

function definition(n: number): unknown {
  const fields = {
    type: "object",
    properties: {
      text: { type: "string" },
      size: { type: "integer" },
      tags: { type: "object", additionalProperties: { type: "string" } },
    },
  };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: fields } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `kind${n}s.bench.example.com` },
    spec: {
      group: "bench.example.com",
      scope: "Namespaced",
      names: { plural: `kind${n}s`, singular: `kind${n}`, kind: `Kind${n}` },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

const object = (name: string, size = 1) => ({
  apiVersion: "bench.example.com/v1",
  kind: "Kind0",
  metadata: { name, labels: { app: "bench" } },
  spec: { text: "x".repeat(500), size, tags: { rack: "r1", row: "a" } },
});

async function load(contender: Contender): Promise<void> {
  for (let n = 0; n < CRDS; n++)
    await send(contender, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition(n));
  for (let attempt = 0; attempt < 100; attempt++) {
    const served = await send(contender, "GET", WIDGETS).then(
      () => true,
      () => false,
    );
    if (served) break;
    await systemClock.sleep(100);
  }
  let next = 0;
  const creator = async (): Promise<void> => {
    for (let n = next++; n < OBJECTS; n = next++) await send(contender, "POST", WIDGETS, object(`load-${n}`));
  };
  await Promise.all(Array.from({ length: 16 }, creator));
}

async function rate(inFlight: number, work: (n: number) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let done = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - began < ROUND_MS) await work(done++);
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  return (done * 1000) / (performance.now() - began);
}

let unique = 0;

async function compareRates(report: Report, embedded: Contender, real: Contender): Promise<void> {
  const works = {
    create: (c: Contender) => () => send(c, "POST", WIDGETS, object(`new-${unique++}`)),
    update: (c: Contender) => async (n: number) => {
      const path = `${WIDGETS}/load-${n % OBJECTS}`;
      const current = JSON.parse(await send(c, "GET", path));
      await send(c, "PUT", path, { ...current, spec: { ...current.spec, size: unique++ } }).catch(() => {});
    },
  };
  for (const [what, work] of Object.entries(works)) {
    for (const inFlight of [1, 16]) {
      const perSecond = await alternate({
        embedded: () => rate(inFlight, work(embedded)),
        real: () => rate(inFlight, work(real)),
      });
      report.row("Per second", { request: what, "in flight": inFlight, ...perSecond });
      report.target(`${what}, ${inFlight} in flight: times the real one`, perSecond.embedded / perSecond.real, {
        atLeast: 3,
      });
    }
  }
}

async function compareLists(report: Report, embedded: Contender, real: Contender): Promise<void> {
  const list = (c: Contender) => async () => {
    const began = performance.now();
    await send(c, "GET", `${WIDGETS}?resourceVersion=0`);
    return performance.now() - began;
  };
  const ms = await alternate({ embedded: list(embedded), real: list(real) }, 5);
  report.row(`List of ${OBJECTS} and more`, { "embedded ms": ms.embedded, "real ms": ms.real });
  report.target("list: times as fast as the real one", ms.real / ms.embedded, { atLeast: 2 });
}

async function compareFanOut(report: Report, embedded: Contender, real: Contender): Promise<void> {
  const ms = await alternate({ embedded: () => fanOut(embedded), real: () => fanOut(real) });
  report.row(`${CHANGES} changes until all ${WATCHERS} watchers saw them`, {
    "embedded ms": ms.embedded,
    "real ms": ms.real,
  });
}

const WATCHERS = 200;
const CHANGES = 20;

async function fanOut(contender: Contender): Promise<number> {
  const { metadata } = JSON.parse(await send(contender, "GET", `${WIDGETS}?limit=1`));
  const path = `${WIDGETS}?watch=1&resourceVersion=${metadata.resourceVersion}`;
  const ended = new AbortController();
  const watchers = Array.from({ length: WATCHERS }, () => watchFor(contender, path, ended.signal));
  await Promise.all(watchers.map(({ opened }) => opened));
  const began = performance.now();
  for (let n = 0; n < CHANGES; n++) await send(contender, "POST", WIDGETS, object(`fan-${unique++}`));
  await Promise.all(watchers.map(({ done }) => done));
  ended.abort();
  return performance.now() - began;
}

function watchFor(
  contender: Contender,
  path: string,
  signal: AbortSignal,
): { opened: Promise<void>; done: Promise<void> } {
  const response = contender.watching.request({
    method: "GET",
    path,
    headers: credentials.get(contender.pool) ?? {},
    signal,
  });
  const done = response.then(async ({ body }) => {
    let lines = 0;
    for await (const chunk of body) {
      for (const byte of chunk as Buffer) if (byte === 10) lines++;
      if (lines >= CHANGES) return;
    }
  });
  return { opened: response.then(() => {}), done: done.catch(() => {}) };
}

function compareCosts(report: Report, embedded: Contender, real: Contender): void {
  report.row("Cost", {
    "embedded MB": embedded.memoryMb(),
    "real MB": real.memoryMb(),
    "embedded start ms": embedded.startMs,
    "real start ms": real.startMs,
  });
  report.target("memory: share of the real one", embedded.memoryMb() / real.memoryMb(), { atMost: 0.25 });
  report.target("start to ready in seconds", embedded.startMs / 1000, { atMost: 2.5 });
}
