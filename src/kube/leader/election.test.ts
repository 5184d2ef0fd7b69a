import { describe, expect, it } from "vitest";
import { seededRandom, settle, VirtualClock } from "#clock";
import { Lease } from "#kinds";
import type { Client } from "../client/client.ts";
import { MemoryApi } from "../testing/memory-api.ts";
import { ConnectionLost } from "../transport/transport.ts";
import { Election, type LeaseEnd } from "./election.ts";
import { LeaseFence } from "./lease-fence.ts";
import type { LeaseSpec } from "./lease-record.ts";

const where = { namespace: "system", name: "leader" };

/** A client whose way to the server can be cut or clogged; calls keep their deadline, as the real client's do. */
function line(api: MemoryApi, clock: VirtualClock) {
  const state = { way: "open" as "open" | "slow" | "cut" | "clogged", sent: 0 };
  const carry = async <R>(call: () => Promise<R>, timeoutMs = 30_000): Promise<R> => {
    if (state.way === "cut") throw new ConnectionLost("connection refused");
    if (state.way === "clogged") {
      await clock.sleep(timeoutMs);
      throw new ConnectionLost("no answer");
    }
    state.sent++;
    const answer = await call();
    if (state.way === "slow") await clock.sleep(4_000);
    return answer;
  };
  const client = {
    find: (kind, name, options) => carry(() => api.find(kind, name), options?.timeoutMs),
    get: (kind, name, options) => carry(() => api.get(kind, name), options?.timeoutMs),
    create: (kind, object, options) => carry(() => api.create(kind, object), options?.timeoutMs),
    update: (kind, object, options) => carry(() => api.update(kind, object), options?.timeoutMs),
  } as Partial<Client> as Client;
  return { state, client };
}

class Contender {
  readonly fence: LeaseFence;
  readonly line: ReturnType<typeof line>;
  readonly election: Election;
  readonly stop = new AbortController();
  readonly leaders: string[] = [];
  led = false;
  end: LeaseEnd | undefined;

  constructor(identity: string, api: MemoryApi, clock: VirtualClock) {
    this.fence = new LeaseFence(clock);
    this.line = line(api, clock);
    const { client } = this.line;
    const random = seededRandom(identity.length);
    const onLeader = (leader: string) => this.leaders.push(leader);
    this.election = new Election({ client, clock, random, fence: this.fence, lease: where, identity, onLeader });
  }

  start(): this {
    void this.election
      .acquire(this.stop.signal)
      .then(() => {
        this.led = true;
        return this.election.hold(this.stop.signal);
      })
      .then((end) => {
        this.end = end;
      })
      .catch(() => {});
    return this;
  }

  /** Would start a request now. */
  get mayAct(): boolean {
    return this.led && this.fence.closed === undefined;
  }
}

function scene(...names: string[]) {
  const clock = new VirtualClock();
  const api = new MemoryApi({ clock });
  const contenders = names.map((name) => new Contender(name, api, clock));
  const record = (): LeaseSpec | undefined => api.snapshot(Lease)["system/leader"]?.spec;
  return { clock, api, record, contenders: contenders as [Contender, Contender] };
}

describe("election", () => {
  it("creates the lease, holds it by renewing, and writes the record client-go reads", async () => {
    const { clock, record, contenders } = scene("first");
    contenders[0].start();
    await clock.advance(10_000);
    expect(contenders[0].mayAct).toBe(true);
    expect(record()).toEqual({
      holderIdentity: "first",
      leaseDurationSeconds: 15,
      acquireTime: "2026-01-01T00:00:00.000000Z",
      renewTime: "2026-01-01T00:00:10.000000Z",
      leaseTransitions: 0,
    });
  });

  it("lets a second candidate in only after the first has been silent for the lease duration", async () => {
    const { clock, record, contenders } = scene("first", "second");
    contenders[0].start();
    await clock.advance(1_000);
    contenders[1].start();
    await clock.advance(60_000);
    expect(contenders[1].led).toBe(false);
    contenders[0].line.state.way = "cut";
    await clock.advance(14_000);
    expect(contenders[1].led).toBe(false);
    await clock.advance(5_000);
    expect(contenders[1].mayAct).toBe(true);
    expect(contenders[0].end).toMatchObject({ lost: true });
    expect(record()).toMatchObject({ holderIdentity: "second", leaseTransitions: 1 });
  });

  it("takes a released lease at once", async () => {
    const { clock, record, contenders } = scene("first", "second");
    contenders[0].start();
    await clock.advance(1_000);
    contenders[1].start();
    await clock.advance(4_000);
    contenders[0].stop.abort();
    await settle();
    expect(contenders[0].end).toEqual({ lost: false });
    expect(await contenders[0].election.release()).toBe(true);
    expect(record()).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    expect(contenders[0].mayAct).toBe(false);
    await clock.advance(2_500);
    expect(contenders[1].mayAct).toBe(true);
    expect(contenders[1].leaders).toEqual(["first", "", "second"]);
  });

  it.each([
    ["with what it last wrote", "open"],
    ["after it had to read again", "cut"],
  ] as const)("does not give back a lease that somebody else holds by now, %s", async (_, way) => {
    const { clock, api, record, contenders } = scene("first");
    const [holder] = contenders;
    holder.start();
    await clock.advance(1_000);
    holder.line.state.way = way;
    await clock.advance(1_500);
    holder.line.state.way = "open";
    holder.stop.abort();
    await settle();
    const lease = await api.get(Lease, where);
    await api.update(Lease, { ...lease, spec: { ...lease.spec, holderIdentity: "thief" } });
    expect(await holder.election.release()).toBe(false);
    expect(record()?.holderIdentity).toBe("thief");
  });

  const outages = [
    { way: "cut", forMs: 6_500, survives: true },
    { way: "cut", forMs: 12_000, survives: false },
    { way: "clogged", forMs: 4_000, survives: true },
    { way: "clogged", forMs: 20_000, survives: false },
  ] as const;
  it.each(outages)("API $way for $forMs ms: holder survives is $survives", async ({ way, forMs, survives }) => {
    const { clock, contenders } = scene("first");
    const [holder] = contenders;
    holder.start();
    await clock.advance(5_000);
    holder.line.state.way = way;
    await clock.advance(forMs);
    holder.line.state.way = "open";
    await clock.advance(20_000);
    expect(holder.mayAct).toBe(survives);
    expect(holder.end === undefined).toBe(survives);
  });

  it("stops within the renew deadline, counted from before the last successful request was sent", async () => {
    const { clock, contenders } = scene("first");
    const [holder] = contenders;
    holder.start();
    await clock.advance(4_000);
    holder.line.state.way = "clogged";
    await clock.advance(9_999);
    expect(holder.mayAct).toBe(true);
    await clock.advance(1);
    expect(holder.mayAct).toBe(false);
  });

  it("counts a renewal from when it was sent, not from when its answer came", async () => {
    const { clock, contenders } = scene("first");
    const [holder] = contenders;
    holder.start();
    await clock.advance(1_999);
    holder.line.state.way = "slow";
    await clock.advance(4_001);
    holder.line.state.way = "cut";
    expect(holder.fence.deadline).toBe(12_000);
    await clock.advance(6_000);
    expect(holder.mayAct).toBe(false);
  });

  it("finds the fence closed right after a time jump, before any timer ran, and sends no renewal", async () => {
    const { clock, contenders } = scene("first");
    const [holder] = contenders;
    holder.start();
    await clock.advance(3_000);
    const before = holder.line.state.sent;
    clock.jump(11_000);
    expect(() => holder.fence.check()).toThrow(/not renewed in time/);
    await clock.advance(5_000);
    expect(holder.end).toMatchObject({ lost: true });
    expect(holder.line.state.sent).toBe(before);
  });

  it("a jump shorter than the deadline costs nothing", async () => {
    const { clock, contenders } = scene("first");
    contenders[0].start();
    await clock.advance(3_000);
    clock.jump(6_000);
    await clock.advance(5_000);
    expect(contenders[0].mayAct).toBe(true);
  });

  it("gives up at once when another holder is seen after a lost compare-and-swap", async () => {
    const { clock, api, contenders } = scene("first");
    contenders[0].start();
    await clock.advance(1_000);
    const lease = await api.get(Lease, where);
    await api.update(Lease, { ...lease, spec: { ...lease.spec, holderIdentity: "thief" } });
    await clock.advance(4_500);
    expect(contenders[0].end).toEqual({ lost: true, reason: "thief holds the lease instead of first" });
    expect(contenders[0].mayAct).toBe(false);
  });

  it("keeps the lease when only the object changed under it", async () => {
    const { clock, api, contenders } = scene("first");
    contenders[0].start();
    await clock.advance(1_000);
    await api.patch(Lease, where, { type: "merge", body: { metadata: { labels: { touched: "yes" } } } });
    await clock.advance(20_000);
    expect(contenders[0].mayAct).toBe(true);
    expect(api.snapshot(Lease)["system/leader"]?.metadata.labels).toEqual({ touched: "yes" });
  });

  it("looks again when the answer to an acquisition was lost", async () => {
    const { clock, api, record, contenders } = scene("first");
    api.loseNextAnswer();
    contenders[0].start();
    await clock.advance(3_000);
    expect(contenders[0].mayAct).toBe(true);
    expect(record()?.leaseTransitions).toBe(0);
  });

  it("writes the lease again when somebody deleted it", async () => {
    const { clock, api, record, contenders } = scene("first");
    contenders[0].start();
    await clock.advance(1_000);
    await api.delete(Lease, where);
    await clock.advance(6_000);
    expect(contenders[0].mayAct).toBe(true);
    expect(record()?.holderIdentity).toBe("first");
  });

  it("judges another holder by the local clock, whatever times its record claims", async () => {
    const { clock, api, contenders } = scene("first");
    const ancient = "1999-01-01T00:00:00.000000Z";
    const spec = { holderIdentity: "other", leaseDurationSeconds: 15, acquireTime: ancient, renewTime: ancient };
    await api.create(Lease, { metadata: where, spec });
    contenders[0].start();
    await clock.advance(14_900);
    expect(contenders[0].led).toBe(false);
    await clock.advance(3_000);
    expect(contenders[0].mayAct).toBe(true);
  });

  it("two candidates racing for an expired lease: one compare-and-swap wins", async () => {
    const { clock, contenders } = scene("first", "second");
    contenders[0].start();
    contenders[1].start();
    for (let step = 0; step < 200; step++) {
      await clock.advance(500);
      expect(contenders.filter((c) => c.mayAct).length).toBeLessThanOrEqual(1);
      if (step === 40) contenders.find((c) => c.mayAct)?.stop.abort();
    }
    expect(contenders.map((c) => c.led)).toEqual([true, true]);
  });

  it("refuses a timing that cannot keep two leaders apart, all problems at once", () => {
    const clock = new VirtualClock();
    const fence = new LeaseFence(clock);
    const timing = { leaseDurationMs: 1_500, renewDeadlineMs: 2_000, retryPeriodMs: 2_000 };
    const client = new MemoryApi();
    const options = { client, clock, fence, random: seededRandom(1), lease: where, identity: "x", timing };
    expect(() => new Election(options)).toThrow(/whole seconds.*shorter than the lease.*longer than 1.2 retry/);
  });
});
