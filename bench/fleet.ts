/** How large a simulated data centre fits in one process, how fast it starts and how fast one core answers. */
import { spawn } from "node:child_process";
import { type Fleet, startFleet } from "#fleet";
import { type Bench, median, type Report } from "./report.ts";

const BMCS = 10_000;
const LOAD_SECONDS = 3;

export const fleet: Bench = {
  name: "fleet",
  async run(report) {
    const { gc } = globalThis as { gc?: () => void };
    gc?.();
    const before = process.memoryUsage().rss;
    const began = performance.now();
    const running = await startFleet({ servers: BMCS, systemsPerBmc: 1, profile: "mixed", seed: 7 });
    const startSeconds = (performance.now() - began) / 1000;
    try {
      const idle = mebibytes(process.memoryUsage().rss - before);
      await visit(running);
      const rates = await throughput(running);
      const touched = mebibytes(process.memoryUsage().rss - before);
      report.row("10,000 BMCs in one process", {
        "start, s": startSeconds,
        "memory idle, MiB": idle,
        "after load, MiB": touched,
      });
      sayRates(report, rates);
      report.target("seconds to start 10,000 BMCs", startSeconds, { atMost: 20 });
      report.target("GiB for 10,000 BMCs after load", touched / 1024, { atMost: 1.5 });
      report.target("GETs per second, worst resource", Math.min(...Object.values(rates)), { atLeast: 5_000 });
    } finally {
      await running.close();
    }
  },
};

function sayRates(report: Report, rates: Readonly<Record<string, number>>): void {
  for (const [resource, rate] of Object.entries(rates))
    report.row("GETs per second on one core", { resource, "per second": rate });
}

const resources: Readonly<Record<string, (bmc: Fleet["bmcs"][number]) => string>> = {
  "service root": () => "/redfish/v1",
  "systems collection": () => "/redfish/v1/Systems",
  system: ({ systems }) => systems[0]?.path ?? "",
};

/** The load comes from a process of its own, so that the fleet has its core to itself. Spread over all BMCs. */
async function throughput({ bmcs }: Fleet): Promise<Record<string, number>> {
  const rates: Record<string, number> = {};
  for (const [name, path] of Object.entries(resources)) {
    const figures: number[] = [];
    for (let round = 0; round < 4; round++) {
      const some = bmcs.slice(round * 64, (round + 1) * 64);
      const goals = some.map((bmc) => ({
        url: bmc.address,
        path: path(bmc),
        user: bmc.username,
        password: bmc.password,
      }));
      figures.push(await load(goals));
    }
    // The first round only warmed up.
    rates[name] = median(figures.slice(1));
  }
  return rates;
}

/** Logs in to every BMC and reads its system, so that the memory measured is that of BMCs in use. */
async function visit({ bmcs }: Fleet): Promise<void> {
  const goals = bmcs.map(({ address, username, password, systems }) => [address, username, password, systems[0]?.path]);
  const child = spawn(process.execPath, ["--input-type=module", "-e", visitor], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  child.stdin.end(JSON.stringify(goals));
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`visiting every BMC ended with ${code}`);
}

const visitor = `
import { request } from "undici";
import { text } from "node:stream/consumers";
const goals = JSON.parse(await text(process.stdin));
const ask = async (url, options) => {
  const { statusCode, headers, body } = await request(url, { ...options, reset: true });
  await body.dump();
  if (statusCode >= 300 && statusCode !== 404) throw new Error(url + " answered " + statusCode);
  return headers;
};
await Promise.all(Array.from({ length: 32 }, async () => {
  for (let goal = goals.pop(); goal; goal = goals.pop()) {
    const [address, UserName, Password, path] = goal;
    await ask(address + "/redfish/v1/SessionService/Sessions", { method: "POST", body: JSON.stringify({ UserName, Password }) });
    await ask(address + path, { headers: { authorization: "Basic " + Buffer.from(UserName + ":" + Password).toString("base64") } });
  }
}));
process.exit(0);
`;

interface Goal {
  readonly url: string;
  readonly path: string;
  readonly user: string;
  readonly password: string;
}

/** Answers per second of processor time that this process spent on them: one core's worth, whoever else is busy here. */
async function load(goals: readonly Goal[]): Promise<number> {
  const before = process.cpuUsage();
  const child = spawn(process.execPath, ["--input-type=module", "-e", loader, JSON.stringify(goals)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) said += String(chunk);
  const { user, system } = process.cpuUsage(before);
  return Number(said) / ((user + system) / 1e6);
}

/** One connection per BMC, one request in flight on each, for a few seconds; prints how many answers it got. */
const loader = `
import { Pool } from "undici";
const goals = JSON.parse(process.argv[1]);
const until = performance.now() + ${LOAD_SECONDS * 1000};
let answered = 0;
await Promise.all(goals.map(async ({ url, path, user, password }) => {
  const pool = new Pool(url, { connections: 1 });
  const headers = { authorization: "Basic " + Buffer.from(user + ":" + password).toString("base64") };
  while (performance.now() < until) {
    const { statusCode, body } = await pool.request({ method: "GET", path, headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(url + path + " answered " + statusCode);
    answered += 1;
  }
  await pool.close();
}));
console.log(answered);
`;

const mebibytes = (bytes: number): number => bytes / 2 ** 20;
