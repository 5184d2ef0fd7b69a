/** What the lanes cost the BMCs, each other and this process. */
import { Pool } from "undici";
import { hours, minutes, seededRandom, systemClock, VirtualClock } from "#clock";
import { type Fleet, type ProfileName, profileNames, type SimulatedBmc, startFleet } from "#fleet";
import { AuditLog, Hardware, type LaneHandle, type LaneRequest, Lanes, type LanesOptions } from "#hardware";
import { bmcAddress } from "#redfish";
import { alternate, type Bench, percentile, type Report } from "./report.ts";

const BMCS = 1_000;
const BLACK_HOLES = 50;
const LATENCY_MS = 1_000;
const READS = ["/redfish/v1/Systems", "/redfish/v1/Managers", "/redfish/v1/Chassis"];
const IDLE_LANES = 10_000;
const WATCHED = 1_000;

export const hardware: Bench = {
  name: "hardware",
  async run(report) {
    await sweeps(report);
    await idleTraffic(report);
    await idleHeap(report);
  },
};

function requestFor(bmc: SimulatedBmc): LaneRequest {
  return {
    holder: `BMC/${bmc.index}`,
    address: bmcAddress("http", bmc.host, bmc.port),
    credentials: { username: bmc.username, password: () => bmc.password },
  };
}

function newLanes(more: Partial<LanesOptions> = {}): Lanes {
  return new Lanes({ clock: systemClock, random: seededRandom(1), ...more });
}

interface Sweep {
  readonly seconds: number;
  /** What one request after the other on the busiest BMC would have taken. */
  readonly ideal: number;
  readonly p99Ms: number;
}

async function sweeps(report: Report): Promise<void> {
  const fleet = await startFleet({ servers: BMCS, systemsPerBmc: 1, profile: "mixed", seed: 7, latency: LATENCY_MS });
  const ratios: number[] = [];
  const open: number[] = [];
  const run = async (name: string, blackHoles: number): Promise<number> => {
    const swept = await sweep(fleet, blackHoles);
    if (blackHoles === 0) ratios.push(swept.seconds / swept.ideal);
    open.push(fleet.control.bmcs.reduce((sum, bmc) => sum + bmc.openSessions, 0));
    saying(report, { ...swept, sweep: name });
    return swept.p99Ms;
  };
  try {
    const p99 = await alternate({
      well: () => run("all well", 0),
      sick: () => run(`${BLACK_HOLES} never answer`, BLACK_HOLES),
      bare: () => bareSweep(fleet, report),
    });
    report.target("sweep against the ideal time", percentile(ratios, 0.5), { atMost: 1.5 });
    report.target("p99 of a request against a bare HTTP client's", p99.well / p99.bare, { atMost: 1.5 });
    report.target("p99 of the others beside 50 black holes", p99.sick / p99.well, { atMost: 1.5 });
    report.target("sessions open after graceful stops", Math.max(...open), { atMost: 0 });
  } finally {
    await fleet.close();
  }
}

async function sweep(fleet: Fleet, blackHoles: number): Promise<Sweep> {
  const before = fleet.control.bmcs.map(({ traffic }) => traffic.requests);
  if (blackHoles > 0) fleet.control.inject({ kind: "black-hole" }, `0-${blackHoles - 1}`);
  const lanes = newLanes();
  const tookMs: number[] = [];
  const over = new AbortController();
  const began = performance.now();
  const handles = fleet.bmcs.map((bmc) => lanes.acquire(requestFor(bmc)));
  const silent = handles.slice(0, blackHoles).map((handle) => visit(handle, over.signal, []));
  // Spread over one answer's time, as a fleet's polls are: nobody starts a thousand lanes in one millisecond.
  const spread = async (handle: LaneHandle, at: number): Promise<void> => {
    await systemClock.sleep((at / handles.length) * LATENCY_MS);
    await visit(handle, over.signal, tookMs);
  };
  await Promise.all(handles.slice(blackHoles).map(spread));
  const seconds = (performance.now() - began) / 1000;
  const most = Math.max(...fleet.control.bmcs.map(({ traffic }, at) => traffic.requests - (before[at] ?? 0)));
  over.abort(new Error("the sweep is over"));
  await Promise.all(silent);
  fleet.control.clear();
  await lanes.close();
  return { seconds, ideal: (most * LATENCY_MS) / 1000, p99Ms: percentile(tookMs, 0.99) };
}

/** The same requests without lanes: what this machine can do at this moment. */
async function bareSweep(fleet: Fleet, report: Report): Promise<number> {
  const tookMs: number[] = [];
  const began = performance.now();
  await Promise.all(
    fleet.bmcs.map(async (bmc, at) => {
      await systemClock.sleep((at / fleet.bmcs.length) * LATENCY_MS);
      const pool = new Pool(bmc.address, { connections: 1 });
      const authorization = `Basic ${Buffer.from(`${bmc.username}:${bmc.password}`).toString("base64")}`;
      for (const [nth, path] of ["/redfish/v1/", "/redfish/v1/SessionService", ...READS].entries()) {
        const asked = performance.now();
        const { body } = await pool.request({ method: "GET", path, headers: { authorization } });
        await body.dump();
        if (nth > 2) tookMs.push(performance.now() - asked);
      }
      await pool.destroy();
    }),
  );
  const [seconds, p99Ms] = [(performance.now() - began) / 1000, percentile(tookMs, 0.99)];
  saying(report, { sweep: "without lanes: undici alone", seconds, ideal: 5 * (LATENCY_MS / 1000), p99Ms });
  return p99Ms;
}

function saying(report: Report, { sweep: name, seconds, ideal, p99Ms }: Sweep & { readonly sweep: string }): void {
  const cells = { sweep: name, "took, s": seconds, "ideal, s": ideal, "p99 of a request, ms": p99Ms };
  report.row(`${BMCS} BMCs at ${LATENCY_MS} ms, one request in flight each`, cells);
}

/** Every read of one BMC, one after the other; the first opens the session. */
async function visit(handle: LaneHandle, signal: AbortSignal, tookMs: number[]): Promise<void> {
  for (const [at, path] of READS.entries()) {
    const began = performance.now();
    const outcome = await handle.send({ method: "GET", path, signal });
    if (outcome.ok && at > 0) tookMs.push(performance.now() - began);
    if (!outcome.ok && !signal.aborted) throw new Error(outcome.failure.message);
  }
}

/** An hour of watching, in virtual time: real requests to a real fleet, only the waiting is skipped. */
async function idleTraffic(report: Report): Promise<void> {
  let worst = 0;
  let worstWithEvents = 0;
  for (const profile of profileNames) {
    const idle = await requestsPerMinute(profile, false);
    const events = await requestsPerMinute(profile, true);
    worst = Math.max(worst, idle);
    worstWithEvents = Math.max(worstWithEvents, events);
    report.row("requests per minute of an idle BMC", { profile, polling: idle, "with events": events });
  }
  report.target("requests per minute of an idle BMC, worst profile", worst, { atMost: 1 });
  report.target("requests per minute of an idle BMC with events", worstWithEvents, { atMost: 0.15 });
}

async function requestsPerMinute(profile: ProfileName, events: boolean): Promise<number> {
  const fleet = await startFleet({ servers: 4, systemsPerBmc: 4, profile, seed: 7 });
  const clock = new VirtualClock();
  const hardware = newHardware(new Lanes({ clock, random: seededRandom(1) }), clock);
  const [bmc] = fleet.bmcs;
  const [inside] = fleet.control.bmcs;
  try {
    if (!bmc || !inside) throw new Error("the fleet is empty");
    const attached = hardware.attach(requestFor(bmc));
    const pass = async (forMs: number): Promise<void> => {
      for (let passed = 0; passed < forMs; passed += 1_000) {
        await clock.advance(1_000);
        while (attached.detail().inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await pass(minutes(2));
    if (attached.snapshot.servers.length !== bmc.systems.length) throw new Error(`${profile}: not introduced`);
    attached.eventsWork(events);
    const before = inside.traffic.requests;
    await pass(hours(1));
    return (inside.traffic.requests - before) / 60;
  } finally {
    await hardware.close();
    await fleet.close();
  }
}

function newHardware(lanes: Lanes, clock = systemClock as LanesOptions["clock"]): Hardware {
  const sink = { append: async () => undefined, close: async () => undefined };
  return new Hardware({ clock, random: seededRandom(1), lanes, audit: new AuditLog({ clock, sink }) });
}

/** What goes away when the lanes do is what they held. The simulated BMCs' own sessions count against us. */
async function idleHeap(report: Report): Promise<void> {
  const fleet = await startFleet({ servers: IDLE_LANES, systemsPerBmc: 1, profile: "dell-idrac9", seed: 7 });
  try {
    const lanes = newLanes({ idleMs: 500 });
    const handles = fleet.bmcs.map((bmc) => lanes.acquire(requestFor(bmc)));
    await inGroups(handles, (handle) => visit(handle, new AbortController().signal, []));
    const lane = await released(IDLE_LANES, fleet, () => {
      handles.length = 0;
      return lanes.close();
    });
    report.row("heap, KiB", { what: `idle lane (of ${IDLE_LANES}), its token kept, no socket`, KiB: lane });

    const hardware = newHardware(newLanes({ idleMs: 500 }));
    const attached = fleet.bmcs.slice(0, WATCHED).map((bmc) => hardware.attach(requestFor(bmc)));
    while (attached.some(({ snapshot }) => snapshot.servers.length === 0)) await systemClock.sleep(100);
    await systemClock.sleep(4_000);
    const watched = await released(WATCHED, fleet, () => {
      attached.length = 0;
      return hardware.close();
    });
    report.row("heap, KiB", { what: `idle watched BMC (of ${WATCHED}), snapshot included`, KiB: watched });
    report.target("KiB of heap per idle lane", lane, { atMost: 8 });
    report.target("KiB of heap per idle watched BMC", watched, { atMost: 32 });
  } finally {
    await fleet.close();
  }
}

async function inGroups<T>(all: readonly T[], visitOne: (one: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += 200) await Promise.all(all.slice(at, at + 200).map(visitOne));
}

async function released(count: number, fleet: Fleet, close: () => Promise<void>): Promise<number> {
  await systemClock.sleep(1_500);
  const before = heap();
  await close();
  const left = fleet.control.bmcs.reduce((sum, bmc) => sum + bmc.openSessions, 0);
  if (left > 0) throw new Error(`${left} sessions are left`);
  await systemClock.sleep(1_000);
  return (before - heap()) / count / 1024;
}

function heap(): number {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
  gc?.();
  return process.memoryUsage().heapUsed;
}
