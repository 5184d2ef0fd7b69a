import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { inspect } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { minutes, seconds, systemClock, VirtualClock } from "#clock";
import type { ExecConfig } from "../config/connection-config.ts";
import { CredentialError } from "./credential-error.ts";
import { type PluginRun, runExecPlugin } from "./exec-plugin.ts";
import { configFor, get, type Handler, json, open, pem, serve, until } from "./loopback-server.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "metalwright-plugin-"));
});
afterEach(() => rm(folder, { recursive: true }));

const V1 = "client.authentication.k8s.io/v1";

/** A plugin that is a Node program: `body` is its source, and it can see `info`, its KUBERNETES_EXEC_INFO. */
function plugin(body: string, more: Partial<ExecConfig> = {}): ExecConfig {
  const prelude = `const fs = require("node:fs"); const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
    const answer = (status) => console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: "ExecCredential", status }));`;
  return {
    apiVersion: V1,
    command: process.execPath,
    args: ["-e", `${prelude}\n${body}`],
    env: {},
    provideClusterInfo: false,
    interactiveMode: "Never",
    ...more,
  };
}

function run(exec: ExecConfig, more: Partial<PluginRun> = {}) {
  const signal = new AbortController().signal;
  const defaults = {
    clock: systemClock,
    env: process.env,
    cluster: undefined,
    terminal: false,
    timeoutMs: seconds(15),
  };
  return runExecPlugin(exec, { ...defaults, signal, ...more });
}

test("hands the plugin its environment and what it asked to know", async () => {
  const seen = join(folder, "seen.json");
  const exec = plugin(
    `fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ info, own: process.env.OWN })); answer({ token: "t" });`,
    { env: { OWN: "1" }, apiVersion: "client.authentication.k8s.io/v1beta1", interactiveMode: "IfAvailable" },
  );
  const credential = await run(exec, { cluster: { server: "https://x", config: { a: 1 } } });
  expect(credential.token?.reveal()).toBe("t");
  expect(JSON.parse(await readFile(seen, "utf8"))).toEqual({
    own: "1",
    info: {
      apiVersion: "client.authentication.k8s.io/v1beta1",
      kind: "ExecCredential",
      spec: { interactive: false, cluster: { server: "https://x", config: { a: 1 } } },
    },
  });
});

const refused: readonly [name: string, exec: () => ExecConfig, message: RegExp][] = [
  ["not JSON", () => plugin(`console.log("hello secret")`), /printed something that is not JSON/],
  ["another kind", () => plugin(`console.log("{}")`), /no ExecCredential/],
  ["another version", () => plugin(`info.apiVersion = "v9"; answer({ token: "t" })`), /apiVersion v9 where .*\/v1;/],
  ["no status", () => plugin("answer(undefined)"), /without a status/],
  ["nothing in it", () => plugin("answer({})"), /neither a token nor a client certificate/],
  ["half a pair", () => plugin(`answer({ clientKeyData: "k" })`), /without the other/],
  ["a wrong time", () => plugin(`answer({ token: "t", expirationTimestamp: "soon" })`), /no time/],
  ["too much", () => plugin(`process.stdout.write("x".repeat(3e6))`), /more than 1 MiB/],
  ["failure", () => plugin(`console.error("log in first"); process.exit(3)`), /ended with code 3: log in first$/],
  [
    "failure, with a hint",
    () => plugin("process.exit(3)", { installHint: "get it from example.invalid" }),
    /ended with code 3\nget it from example\.invalid$/,
  ],
  [
    "no such program",
    () => plugin("", { command: "no-such-program-here", installHint: "install it first" }),
    /no-such-program-here could not be started \(ENOENT\)\ninstall it first$/,
  ],
  ["no terminal", () => plugin(`answer({ token: "t" })`, { interactiveMode: "Always" }), /needs a terminal/],
];

test.each(refused)("one clear error: %s", async (_, exec, message) => {
  const failure = (await run(exec()).catch((e: unknown) => e)) as Error;
  expect(failure).toBeInstanceOf(CredentialError);
  expect(failure.message).toMatch(message);
  expect(failure.message).not.toContain("secret");
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("a plugin that hangs is ended with everything it started, and is one clear error", async () => {
  const pids = join(folder, "pids");
  const exec =
    plugin(`const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
    fs.writeFileSync(${JSON.stringify(pids)}, process.pid + " " + child.pid + " .");
    setInterval(() => {}, 1000);`);
  const clock = new VirtualClock();
  const failure = run(exec, { clock, timeoutMs: minutes(1) }).catch((e: unknown) => e);
  let started: number[] = [];
  while (started.length < 2) {
    await systemClock.sleep(10);
    const text = await readFile(pids, "utf8").catch(() => "");
    if (text.endsWith(".")) started = text.split(" ").slice(0, 2).map(Number);
  }
  await clock.advance(minutes(1));
  expect(((await failure) as Error).message).toMatch(/gave no answer within 60000 ms and was ended/);
  await until(() => started.every((pid) => !isAlive(pid)), "both processes ended");
  expect(clock.pendingTimers).toBe(0);
});

/** A plugin that counts its runs and hands out token-N, with an expiry `livesMs` from `clock`'s now. */
function counting(clock: VirtualClock, livesMs?: number): { exec: ExecConfig; runs(): Promise<number> } {
  const file = join(folder, "runs");
  const expiry = livesMs === undefined ? "undefined" : JSON.stringify(new Date(clock.now().getTime() + livesMs));
  const exec = plugin(`fs.appendFileSync(${JSON.stringify(file)}, "x");
    const n = fs.readFileSync(${JSON.stringify(file)}, "utf8").length;
    answer({ token: "token-" + n, expirationTimestamp: n === 1 ? ${expiry} : undefined });`);
  return { exec, runs: async () => (await readFile(file, "utf8").catch(() => "")).length };
}

const echo: Handler = (request, response) => json(response, { token: request.headers.authorization });

test("runs once for all who wait, keeps the credential, and renews it before it expires", async () => {
  await using server = await serve(echo);
  const clock = new VirtualClock();
  const { exec, runs } = counting(clock, minutes(10));
  await using transport = open(configFor(server.url, { user: { exec } }), { clock });
  const ask = async (): Promise<unknown> => JSON.parse(await (await transport.request(get("/"))).text()).token;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill("Bearer token-1"));
  clock.jump(minutes(8));
  expect(await ask()).toBe("Bearer token-1");
  expect(await runs()).toBe(1);
  clock.jump(minutes(1.8));
  expect(await ask()).toBe("Bearer token-2");
  clock.jump(minutes(1000));
  expect(await ask()).toBe("Bearer token-2");
  expect(await runs()).toBe(2);
});

test("a credential that has already expired is one clear error", async () => {
  await using server = await serve(echo);
  const clock = new VirtualClock();
  const { exec } = counting(clock, -minutes(1));
  await using transport = open(configFor(server.url, { user: { exec } }), { clock });
  const failure = (await transport.request(get("/")).catch((e: unknown) => e)) as Error;
  expect(failure).toBeInstanceOf(CredentialError);
  expect(failure.message).toMatch(/expired at 2025-12-31T23:59:00/);
  expect(server.arrived).toEqual([]);
});

test("a 401 runs the plugin once more and repeats once; a server that refuses everything does not make it run for every request", async () => {
  let accepted = "Bearer token-2";
  await using server = await serve((request, response) =>
    json(response, {}, request.headers.authorization === accepted ? 200 : 401),
  );
  const clock = new VirtualClock();
  const { exec, runs } = counting(clock);
  await using transport = open(configFor(server.url, { user: { exec } }), { clock });
  expect((await transport.request(get("/"))).status).toBe(200);
  expect(server.arrived).toHaveLength(2);
  accepted = "nothing";
  clock.jump(seconds(11));
  for (let at = 0; at < 5; at++) expect((await transport.request(get("/"))).status).toBe(401);
  expect(await runs()).toBe(3);
});

test("whoever gives up does not end the plugin for the others; closing does", async () => {
  await using server = await serve(echo);
  const go = join(folder, "go");
  const exec = plugin(`const wait = setInterval(() => {
    if (fs.existsSync(${JSON.stringify(go)})) { clearInterval(wait); answer({ token: "late" }); }
  }, 5);`);
  await using transport = open(configFor(server.url, { user: { exec } }));
  const impatient = new AbortController();
  const first = transport.request(get("/", { signal: impatient.signal })).catch((e: unknown) => e);
  const second = transport.request(get("/"));
  impatient.abort("enough");
  expect(await first).toBe("enough");
  await writeFile(go, "");
  expect(await (await second).text()).toContain("Bearer late");

  await rm(go);
  await using closing = open(configFor(server.url, { user: { exec } }));
  const pending = closing.request(get("/")).catch((e: unknown) => e);
  await closing.close();
  expect(await pending).toBeInstanceOf(CredentialError);
});

test("a plugin's certificate is presented to the server", async () => {
  await using server = await serve(
    (request, response) => json(response, { peer: (request.socket as TLSSocket).getPeerCertificate().subject.CN }),
    { tls: true },
  );
  const pair = { clientCertificateData: pem("client-b.crt"), clientKeyData: pem("client-b.key") };
  const exec = plugin(`answer(${JSON.stringify(pair)})`);
  await using transport = open(configFor(server.url, { user: { exec } }));
  expect(JSON.parse(await (await transport.request(get("/"))).text())).toEqual({ peer: "client-b" });
});

test("nothing of a credential prints", async () => {
  const credential = await run(plugin(`answer({ token: "hush", clientCertificateData: "c", clientKeyData: "quiet" })`));
  expect(credential.clientCertificate?.key.reveal()).toBe("quiet");
  for (const printed of [inspect(credential, { depth: 9 }), JSON.stringify(credential), `${credential.token}`])
    expect(printed).not.toMatch(/hush|quiet/);
});

test("what a plugin wants to know of the cluster, it is told", async () => {
  await using server = await serve(echo, { tls: true });
  const seen = join(folder, "info.json");
  const exec = plugin(`fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify(info.spec)); answer({ token: "t" });`, {
    provideClusterInfo: true,
    clusterExtension: { audience: "x" },
  });
  await using transport = open(configFor(server.url, { user: { exec }, tlsServerName: "api.test" }));
  await transport.request(get("/"));
  expect(JSON.parse(await readFile(seen, "utf8"))).toEqual({
    interactive: false,
    cluster: {
      server: server.url,
      "tls-server-name": "api.test",
      "certificate-authority-data": Buffer.from(pem("ca.crt")).toString("base64"),
      config: { audience: "x" },
    },
  });
});
