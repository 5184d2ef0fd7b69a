import { createServer } from "node:http";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { seededRandom, settle, VirtualClock } from "#clock";
import { Event, Lease } from "#kinds";
import type { Client } from "../client/client.ts";
import { ApiError } from "../client/errors.ts";
import { controller } from "../controller/controller.ts";
import { at, Box, box, resize } from "../testing/box.ts";
import { fencedClient } from "../testing/fenced-client.ts";
import { MemoryApi } from "../testing/memory-api.ts";
import { nothing, noting } from "../testing/noting.ts";
import { createManager, type ManagerEnd, type ManagerOptions } from "./manager.ts";
import type { Runnable } from "./runnable.ts";

const lease = { namespace: "system", name: "leader" };
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

class Process {
  readonly stop = new AbortController();
  readonly log: Record<string, unknown>[] = [];
  readonly manager;
  end: ManagerEnd | { ended: "failed"; error: unknown } | undefined;
  running: Promise<void> = Promise.resolve();

  constructor(identity: string, api: MemoryApi, clock: VirtualClock, over: Partial<ManagerOptions> = {}) {
    const logger = pino({ level: "info" }, { write: (line: string) => void this.log.push(JSON.parse(line)) });
    this.manager = createManager({
      connect: (fence) => fencedClient(api, fence),
      clock,
      random: seededRandom(identity.length),
      logger,
      election: { lease, identity },
      ...over,
    });
  }

  start(): this {
    const settled = (end: Process["end"]): void => {
      this.end = end;
    };
    this.running = this.manager
      .run(this.stop.signal)
      .then(settled, (error: unknown) => settled({ ended: "failed", error }));
    stops.push(async () => {
      this.stop.abort();
    });
    return this;
  }
}

function scene() {
  const clock = new VirtualClock();
  return { clock, api: new MemoryApi({ clock }) };
}

const sleeping = (name: string, clock: VirtualClock, over: Partial<Runnable> = {}) => {
  const state = { started: 0, stopped: 0 };
  const run = async (stop: AbortSignal): Promise<void> => {
    state.started++;
    await clock.sleep(1e9, stop).catch(() => {});
    state.stopped++;
  };
  return { state, part: { name, run, ...over } };
};

describe("manager", () => {
  it("syncs, leads, works, stops in order and gives the lease back", async () => {
    const { clock, api } = scene();
    await api.create(Box, box("a"));
    const { seen, controller } = noting();
    const one = new Process("one", api, clock);
    one.manager.add(controller);
    one.start();
    await clock.advance(1_000);
    expect(seen).toEqual(["a"]);
    expect(one.manager.isLeader).toBe(true);
    one.stop.abort();
    await settle();
    await one.running;
    expect(one.end).toEqual({ ended: "stopped" });
    expect(api.snapshot(Lease)["system/leader"]?.spec?.holderIdentity).toBe("");
    expect(clock.pendingTimers).toBe(0);
    expect(api.openWatches).toBe(0);
  });

  it("keeps a second replica warm: its caches fill, what needs no leadership runs, controllers wait", async () => {
    const { clock, api } = scene();
    await api.create(Box, box("a"));
    const one = new Process("one", api, clock);
    one.manager.add(noting().controller);
    one.start();
    await clock.advance(1_000);
    const two = new Process("second", api, clock);
    const { seen, controller } = noting();
    const everywhere = sleeping("everywhere", clock, { needsLeadership: false });
    const leaderOnly = sleeping("leader-only", clock);
    two.manager.add(controller, everywhere.part, leaderOnly.part);
    two.start();
    await clock.advance(30_000);
    expect(two.manager.informers.all().every((informer) => informer.hasSynced)).toBe(true);
    expect([everywhere.state.started, leaderOnly.state.started, seen.length]).toEqual([1, 0, 0]);
    one.stop.abort();
    await clock.advance(5_000);
    expect([everywhere.state.started, leaderOnly.state.started, seen]).toEqual([1, 1, ["a"]]);
    two.stop.abort();
    await clock.advance(1_000);
    expect([everywhere.state.stopped, leaderOnly.state.stopped]).toEqual([1, 1]);
  });

  it("finishes a running pass within the deadline while the lease is kept alive", async () => {
    const { clock, api } = scene();
    await api.create(Box, box("a"));
    const { controller } = noting({
      observe: async ({ object, signal }) => {
        await clock.sleep(18_000, signal);
        return object;
      },
      decide: () => ({ ...nothing, conditions: [{ type: "Done", status: "True", reason: "R", message: "" }] }),
    });
    const one = new Process("one", api, clock);
    one.manager.add(controller);
    one.start();
    await clock.advance(1_000);
    one.stop.abort();
    await clock.advance(18_000);
    await one.running;
    expect(one.end).toEqual({ ended: "stopped" });
    expect(api.snapshot(Box)["ns/a"]).toMatchObject({ status: { conditions: [{ type: "Done" }] } });
    expect(api.snapshot(Lease)["system/leader"]?.spec?.holderIdentity).toBe("");
  });

  it("ends what does not finish in time, and then what would not end at all", async () => {
    const { clock, api } = scene();
    const one = new Process("one", api, clock, { drainMs: 5_000 });
    const deaf: Runnable = { name: "deaf", run: () => new Promise(() => {}) };
    let killed = false;
    const slow: Runnable = {
      name: "slow",
      run: (_, kill) =>
        clock.sleep(1e9, kill).catch(() => {
          killed = true;
        }),
    };
    one.manager.add(deaf, slow);
    one.start();
    await clock.advance(1_000);
    one.stop.abort();
    await clock.advance(4_999);
    expect(killed).toBe(false);
    await clock.advance(1);
    expect(killed).toBe(true);
    await clock.advance(2_000);
    await one.running;
    expect(one.end).toEqual({ ended: "stopped" });
    expect(one.log).toContainEqual(expect.objectContaining({ parts: ["deaf"] }));
  });

  it("a part that fails stops the manager with its error, in order", async () => {
    const { clock, api } = scene();
    const other = sleeping("other", clock);
    const failing: Runnable = {
      name: "failing",
      run: async () => {
        await clock.sleep(1_000);
        throw new Error("disk full");
      },
    };
    const one = new Process("one", api, clock);
    one.manager.add(failing, other.part);
    one.start();
    await clock.advance(2_000);
    await one.running;
    expect(one.end).toMatchObject({ ended: "failed", error: { message: "disk full" } });
    expect(other.state.stopped).toBe(1);
    expect(api.snapshot(Lease)["system/leader"]?.spec?.holderIdentity).toBe("");
  });

  it("a lost lease stops all work at once, writes nothing more and says so", async () => {
    const { clock, api } = scene();
    await api.create(Box, box("a"));
    const { controller } = noting({
      observe: async ({ object, signal }) => {
        await clock.sleep(60_000, signal);
        return object;
      },
      decide: () => ({ ...nothing, conditions: [{ type: "Late", status: "True", reason: "R", message: "" }] }),
    });
    const one = new Process("one", api, clock);
    one.manager.add(controller);
    one.start();
    await clock.advance(3_000);
    const held = await api.get(Lease, lease);
    await api.update(Lease, { ...held, spec: { ...held.spec, holderIdentity: "thief" } });
    const before = api.requests.length;
    await clock.advance(10_000);
    await one.running;
    expect(one.end).toEqual({ ended: "lease lost", reason: "thief holds the lease instead of one" });
    expect(api.requests.slice(before).filter((request) => !request.includes("leases"))).toEqual([]);
    expect(api.snapshot(Box)["ns/a"]).not.toHaveProperty("status");
    expect(api.snapshot(Lease)["system/leader"]?.spec?.holderIdentity).toBe("thief");
  });

  it("a process that was stopped past its lease starts no request when it wakes", async () => {
    const { requests } = await frozenLeader(true);
    expect(requests).toEqual([]);
  });

  it("mutation check: without the fence the same story starts requests after the lease", async () => {
    const { requests } = await frozenLeader(false);
    expect(requests).toContain("patch boxes.test.io ns/a");
  });

  it("flushes announcements before it lets go, even when writing them takes a moment", async () => {
    const { clock, api } = scene();
    await api.create(Box, box("a"));
    const announcements = [{ type: "Normal", reason: "Seen", action: "Look", note: "hello" }] as const;
    const { controller } = noting({ decide: () => ({ ...nothing, announcements }) });
    const slow = new Proxy<Client>(api, {
      get: (target, name) => {
        const method = (Reflect.get(target, name) as (...args: unknown[]) => unknown).bind(target);
        if (name !== "create") return method;
        return async (...args: unknown[]) => {
          await clock.sleep(500);
          return method(...args);
        };
      },
    });
    const one = new Process("one", api, clock, { connect: () => slow });
    one.manager.add(controller);
    one.start();
    await clock.advance(501);
    expect(Object.values(api.snapshot(Event))).toEqual([]);
    one.stop.abort();
    await clock.advance(400);
    expect(one.end).toBeUndefined();
    await clock.advance(600);
    await one.running;
    expect(Object.values(api.snapshot(Event))).toMatchObject([{ note: "hello", regarding: { name: "a" } }]);
  });

  it("stops cleanly while it still waits for its caches or for the lease", async () => {
    const { clock, api } = scene();
    const forbidden = new ApiError("list", 403, { reason: "Forbidden", message: "boxes is forbidden" });
    api.failNext("watch", forbidden, 100);
    api.failNext("list", forbidden, 100);
    const one = new Process("one", api, clock);
    one.manager.add(noting().controller);
    one.start();
    await clock.advance(5_000);
    one.stop.abort();
    await clock.advance(1_000);
    await one.running;
    expect(one.end).toEqual({ ended: "stopped" });
    expect(api.snapshot(Lease)).toEqual({});
  });

  it("without election it leads from the start", async () => {
    const { clock, api } = scene();
    await api.create(Box, box("a"));
    const { seen, controller } = noting();
    const manager = createManager({
      connect: (fence) => fencedClient(api, fence),
      clock,
      logger: pino({ level: "silent" }),
    }).add(controller);
    const stop = new AbortController();
    const running = manager.run(stop.signal);
    await clock.advance(1_000);
    expect(seen).toEqual(["a"]);
    expect(Object.keys(api.snapshot(Lease))).toEqual([]);
    stop.abort();
    await settle();
    expect(await running).toEqual({ ended: "stopped" });
  });

  it("refuses two parts of one name, and parts that come too late", async () => {
    const { clock, api } = scene();
    const one = new Process("one", api, clock);
    one.manager.add(noting().controller);
    expect(() => one.manager.add(noting().controller)).toThrow(/two parts are called "noting"/);
    one.start();
    expect(() => one.manager.add(sleeping("late", clock).part)).toThrow(/before the manager runs/);
    one.stop.abort();
    await settle();
    await one.running;
  });
});

/** A leader frozen past its lease with a pass half done; what it sends to the server after it woke. */
async function frozenLeader(guarded: boolean): Promise<{ readonly requests: readonly string[] }> {
  const { clock, api } = scene();
  await api.create(Box, box("a"));
  let thaw: () => void = () => {};
  const slow = controller({
    name: "slow",
    kind: Box,
    observe: async ({ object }) => {
      await new Promise<void>((resolve) => {
        thaw = resolve;
      });
      return object;
    },
    decide: (seen) => ({
      ...nothing,
      writes: [{ verb: "patch", kind: Box, name: at(`${seen.metadata.name}`), patch: resize(9) }],
    }),
  });
  const over = guarded ? {} : { connect: () => api };
  const one = new Process("one", api, clock, over);
  one.manager.add(slow);
  one.start();
  await clock.advance(3_000);
  const before = api.requests.length;
  clock.jump(30_000);
  thaw();
  api.cutWatches();
  await settle();
  await clock.advance(10_000);
  await one.running;
  expect(one.end).toMatchObject({ ended: "lease lost" });
  return { requests: api.requests.slice(before) };
}

describe("health", () => {
  const get = async (url: string): Promise<{ status: number; body: string }> => {
    const response = await fetch(url);
    return { status: response.status, body: await response.text() };
  };

  it("answers /healthz at once, /readyz after the sync, /metrics with what controllers did", async () => {
    const { clock, api } = scene();
    await api.create(Box, box("a"));
    const forbidden = new ApiError("watch", 403, { reason: "Forbidden", message: "boxes is forbidden" });
    api.failNext("watch", forbidden);
    api.failNext("list", forbidden);
    const one = new Process("one", api, clock, { serve: { port: 0 } });
    one.manager.add(noting().controller);
    one.start();
    await expect.poll(() => one.manager.url).toBeDefined();
    await settle();
    const url = one.manager.url ?? "";
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await get(`${url}/healthz`)).toEqual({ status: 200, body: "ok\n" });
    expect(await get(`${url}/readyz`)).toEqual({
      status: 503,
      body: expect.stringMatching(/boxes: not synced.*forbidden/),
    });
    await clock.advance(60_000);
    expect(await get(`${url}/readyz`)).toEqual({ status: 200, body: "ok\n" });
    const { body } = await get(`${url}/metrics`);
    expect(body).toContain('controller_runtime_reconcile_total{controller="noting",result="success"} 1');
    expect(body).toContain('leader_election_master_status{name="leader"} 1');
    expect((await get(`${url}/else`)).status).toBe(404);
    one.stop.abort();
    await expect.poll(() => one.end).toEqual({ ended: "stopped" });
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it("a port that is taken is the manager's error", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as { port: number };
    const { clock, api } = scene();
    const one = new Process("one", api, clock, { serve: { port } });
    one.start();
    await one.running;
    expect(one.end).toMatchObject({ ended: "failed", error: { code: "EADDRINUSE" } });
    taken.close();
  });
});
