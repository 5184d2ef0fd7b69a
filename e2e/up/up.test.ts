/** `metalwright up` as a person runs it: what it says, and that nothing of it is left behind, however it ends. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock, systemRandom } from "#clock";
import { Namespace } from "#kinds";
import { type Client, connect, createClient, loadConfig } from "#kube";

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface Run {
  readonly process: ChildProcess;
  readonly data: string;
  printed(): string;
  complained(): string;
}

function folder(): string {
  const data = mkdtempSync(join(tmpdir(), "metalwright-up-"));
  cleanUps.push(() => rmSync(data, { recursive: true, force: true }));
  return data;
}

function up(data: string, ...args: string[]): Run {
  const process_ = spawn(process.execPath, ["dist/metalwright.js", "up", "--data", data, ...args]);
  const text = { out: "", err: "" };
  process_.stdout.setEncoding("utf8").on("data", (more: string) => {
    text.out += more;
  });
  process_.stderr.setEncoding("utf8").on("data", (more: string) => {
    text.err += more;
  });
  cleanUps.push(async () => {
    if (process_.exitCode !== null || process_.signalCode !== null) return;
    process_.kill("SIGTERM");
    await once(process_, "exit");
  });
  return { process: process_, data, printed: () => text.out, complained: () => text.err };
}

const ready = (run: Run) => expect.poll(() => run.printed(), { timeout: 30_000 }).toContain("Ctrl-C stops everything");

/** The processes whose command line names the folder, as "pid command line". */
function processesOf(data: string): string[] {
  const lines = existsSync("/proc/self/cmdline") ? commandLines() : spawnSync("ps", ["-eo", "pid=,args="]).stdout;
  return String(lines)
    .split("\n")
    .filter((line) => line.includes(data) && line.includes("metalwright.js"))
    .map((line) => line.trim());
}

/** Out of /proc: `ps` is not on every machine that has Node. */
function commandLines(): string {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => `${pid} ${commandLine(pid)}`).join("\n");
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

async function withClient<R>(data: string, use: (client: Client) => Promise<R>): Promise<R> {
  const services = { clock: systemClock, random: systemRandom };
  const transport = connect(await loadConfig({ kubeconfig: join(data, "kubeconfig"), env: {} }), services);
  try {
    return await use(createClient(transport, { ...services, userAgent: "test" }));
  } finally {
    await transport.close();
  }
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

describe("metalwright up", () => {
  it("brings up a control plane and a fleet, and takes both down on SIGTERM", async () => {
    const run = up(folder(), "--servers", "4", "--fleet-port", await freePort());
    await ready(run);
    expect(run.printed()).toContain("19 kinds installed");
    expect(run.printed()).toContain("rack-1");
    expect(statSync(join(run.data, "kubeconfig")).mode & 0o777).toBe(0o600);
    run.process.kill("SIGTERM");
    const [code] = await once(run.process, "exit");
    expect(code).toBe(0);
    expect(processesOf(run.data)).toEqual([]);
  });

  it("keeps its objects: a second start finds what was made in the first", async () => {
    const data = folder();
    const first = up(data, "--servers", "0");
    await ready(first);
    await withClient(data, (client) => client.create(Namespace, { metadata: { name: "kept" } }));
    first.process.kill("SIGTERM");
    await once(first.process, "exit");
    await ready(up(data, "--servers", "0"));
    expect(await withClient(data, (client) => client.find(Namespace, "kept"))).toBeDefined();
  });

  it("says in one sentence that another one has the folder", async () => {
    const data = folder();
    await ready(up(data, "--servers", "0"));
    const second = up(data, "--servers", "0");
    const [code] = await once(second.process, "exit");
    expect(code).toBe(1);
    expect(second.complained().trim().split("\n")).toEqual([
      expect.stringMatching(/is in use by process \d+: stop it first, or choose another directory/),
    ]);
  });

  it("ends when one of its parts is killed, and says which", async () => {
    const run = up(folder(), "--servers", "0");
    await ready(run);
    const [line = ""] = processesOf(run.data).filter((text) => text.includes(" apiserver "));
    process.kill(Number(line.split(" ")[0]), "SIGKILL");
    const [code] = await once(run.process, "exit");
    expect(code).toBe(1);
    expect(run.complained()).toContain("apiserver ended (SIGKILL)");
  });

  it("leaves nothing running when it is killed itself", async () => {
    const run = up(folder(), "--servers", "0");
    await ready(run);
    run.process.kill("SIGKILL");
    await expect.poll(() => processesOf(run.data), { timeout: 15_000 }).toEqual([]);
  });

  it("refuses a port that is none", async () => {
    const run = up(folder(), "--api-port", "lots");
    const [code] = await once(run.process, "exit");
    expect(code).toBe(1);
    expect(run.complained()).toContain("A port is a whole number from 0 to 65535.");
  });
});
