/** GET and PATCH of a 1 KB object over TLS: our client beside bare undici and the official client, on a server of its own. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Pool } from "undici";
import { systemClock, systemRandom } from "#clock";
import { ConfigMap, Redacted } from "#kinds";
import { type Client, connect, createClient } from "#kube";
import { cacheFolder } from "../tools/cache.ts";
import { alternate, type Bench, type Report } from "./report.ts";

const FIXTURES = "src/kube/transport/fixtures";
const PEER = "@kubernetes/client-node";
const PEER_VERSION = "1.4.0";
/** Many short rounds: a neighbour that takes the processor for a moment then spoils few of them. */
const ROUNDS = 11;
const ROUND_MS = 250;
const SETTLE_MS = 50;
const NAME = { namespace: "default", name: "object" };
const PATH = "/api/v1/namespaces/default/configmaps/object";
const CHANGE = { data: { key: "value" } };

/** Runs in a process of its own, so that what is measured is the client alone. */
const SERVER = `
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
const object = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap",
  metadata: { name: "object", namespace: "default", uid: "u", resourceVersion: "1" }, data: { text: "x".repeat(880) } });
const headers = { "content-type": "application/json", "content-length": String(object.length) };
const tls = { cert: readFileSync("${FIXTURES}/server.crt"), key: readFileSync("${FIXTURES}/server.key") };
const server = createServer(tls, (request, response) => {
  request.resume().on("end", () => response.writeHead(200, headers).end(object));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

type Verb = "GET" | "PATCH";
interface Contender {
  readonly verbs: Readonly<Record<Verb, () => Promise<unknown>>>;
  close(): Promise<void>;
}

export const kubeClient: Bench = {
  name: "kube client over TLS",
  async run(report) {
    const server = spawn(process.execPath, ["--input-type=module", "-e", SERVER], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [line] = (await once(server.stdout, "data")) as [Buffer];
      await compare(report, `https://127.0.0.1:${line.toString().trim()}`);
    } finally {
      server.kill();
    }
  },
};

async function compare(report: Report, url: string): Promise<void> {
  const pair = { ours: ours(url), undici: bareUndici(url) };
  const peer = await official(url);
  for (const verb of ["GET", "PATCH"] as const) {
    for (const { verbs } of [pair.ours, pair.undici, peer]) await rate(verbs[verb], 4, 200);
    for (const inFlight of [1, 16]) {
      const timed =
        ({ verbs }: Contender) =>
        () =>
          rate(verbs[verb], inFlight, ROUND_MS);
      const perSecond = await alternate({ ours: timed(pair.ours), undici: timed(pair.undici) }, ROUNDS);
      // Apart from the other two: it leaves hundreds of closing sockets behind, which whoever comes next would pay for.
      const { official } = await alternate({ official: timed(peer) });
      report.row("Requests per second, JSON decoded", { request: verb, "in flight": inFlight, ...perSecond, official });
      const share = perSecond.ours / perSecond.undici;
      report.target(`${verb}, ${inFlight} in flight: ours against bare undici`, share, { atLeast: 0.8 });
    }
  }
  for (const contender of [pair.ours, pair.undici, peer]) await contender.close();
}

async function rate(request: () => Promise<unknown>, inFlight: number, forMs: number): Promise<number> {
  // What the contender before left behind (garbage, sockets being closed) is not this one's to pay for.
  globalThis.gc?.();
  await systemClock.sleep(SETTLE_MS);
  const began = performance.now();
  let done = 0;
  const loop = async (): Promise<void> => {
    for (; performance.now() - began < forMs; done++) await request();
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  return (done * 1000) / (performance.now() - began);
}

function ours(server: string): Contender {
  const certificateAuthority = { file: `${FIXTURES}/ca.crt` };
  const user = { token: { data: new Redacted("token") } };
  const transport = connect(
    { source: "bench", server, namespace: "default", certificateAuthority, user },
    { clock: systemClock, random: systemRandom },
  );
  const client: Client = createClient(transport, { clock: systemClock, random: systemRandom, userAgent: "bench" });
  return {
    verbs: {
      GET: () => client.get(ConfigMap, NAME),
      PATCH: () => client.patch(ConfigMap, NAME, { type: "merge", body: CHANGE }),
    },
    close: () => transport.close(),
  };
}

function bareUndici(server: string): Contender {
  const pool = new Pool(server, { connect: { ca: readFileSync(`${FIXTURES}/ca.crt`) }, allowH2: false });
  const headers = { accept: "application/json", "user-agent": "bench", authorization: "Bearer token" };
  const patchHeaders = { ...headers, "content-type": "application/merge-patch+json" };
  return {
    verbs: {
      GET: async () => (await pool.request({ method: "GET", path: PATH, headers })).body.json(),
      PATCH: async () =>
        (
          await pool.request({ method: "PATCH", path: PATH, headers: patchHeaders, body: JSON.stringify(CHANGE) })
        ).body.json(),
    },
    close: () => pool.close(),
  };
}

/** As much of the official client as is used here. */
interface OfficialModule {
  readonly KubeConfig: new () => {
    loadFromOptions(options: object): void;
    makeApiClient(api: unknown): OfficialApi;
  };
  readonly CoreV1Api: unknown;
  readonly PatchStrategy: { readonly MergePatch: string };
  setHeaderOptions(name: string, value: string): unknown;
}
interface OfficialApi {
  readNamespacedConfigMap(request: object): Promise<unknown>;
  patchNamespacedConfigMap(request: object, options: unknown): Promise<unknown>;
}

async function official(server: string): Promise<Contender> {
  const peer = (await import(pathToFileURL(installPeer()).href)) as OfficialModule;
  const config = new peer.KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "c", server, caData: readFileSync(`${FIXTURES}/ca.crt`).toString("base64") }],
    users: [{ name: "u", token: "token" }],
    contexts: [{ name: "x", cluster: "c", user: "u" }],
    currentContext: "x",
  });
  const api = config.makeApiClient(peer.CoreV1Api);
  const merge = peer.setHeaderOptions("Content-Type", peer.PatchStrategy.MergePatch);
  return {
    verbs: {
      GET: () => api.readNamespacedConfigMap(NAME),
      PATCH: () => api.patchNamespacedConfigMap({ ...NAME, body: CHANGE }, merge),
    },
    close: async () => {},
  };
}

/** Installed once, outside the repository: it is measured against, never depended on. */
function installPeer(): string {
  const folder = cacheFolder("bench-peers", `client-node-${PEER_VERSION}`);
  const entry = join(folder, "node_modules", PEER, "dist", "index.js");
  if (existsSync(entry)) return entry;
  mkdirSync(folder, { recursive: true });
  const npm = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  execFileSync("npm", [...npm, `${PEER}@${PEER_VERSION}`], { stdio: ["ignore", "ignore", "inherit"] });
  return entry;
}
