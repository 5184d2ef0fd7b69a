/** Random faults under virtual time: whatever happens to the candidates, at most one may act, and in the end one does. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Clock, seededRandom, settle, type Timer, VirtualClock } from "#clock";
import type { Client } from "../client/client.ts";
import { MemoryApi } from "../testing/memory-api.ts";
import { ConnectionLost } from "../transport/transport.ts";
import { Election } from "./election.ts";
import { LeaseFence } from "./lease-fence.ts";

const lease = { namespace: "system", name: "leader" };

/** A process on shared time: frozen, its timers and answers wait, and its clock goes on. */
class Replica implements Clock {
  readonly #time: VirtualClock;
  readonly #api: MemoryApi;
  #held: (() => void)[] | undefined;
  #way: "open" | "cut" | "clogged" = "open";
  #life = 0;
  fence: LeaseFence;
  leads = false;
  readonly name: string;
  readonly #end = new AbortController();

  constructor(name: string, time: VirtualClock, api: MemoryApi) {
    this.name = name;
    this.#time = time;
    this.#api = api;
    this.fence = new LeaseFence(this);
  }

  /** Candidate, leader, and after a lost lease a new process with a new name. */
  async live(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      this.fence = new LeaseFence(this);
      const identity = `${this.name}-${this.#life++}`;
      const random = seededRandom(this.#life);
      const client = this.#client();
      const election = new Election({ client, clock: this, random, fence: this.fence, lease, identity });
      await election.acquire(signal).catch(() => {});
      this.leads = !signal.aborted;
      await election.hold(signal);
      this.leads = false;
    }
  }

  do(what: Fault): void {
    if (what === "freeze") this.#held ??= [];
    else if (what === "thaw") this.#thaw();
    else if (what !== "wait") this.#way = what;
  }

  die(): void {
    this.#thaw();
    this.#way = "cut";
    this.#end.abort();
  }

  now(): Date {
    return this.#time.now();
  }

  monotonic(): number {
    return this.#time.monotonic();
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#time.after(delayMs, () => (this.#held ? this.#held.push(run) : run()));
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        timer.cancel();
        reject(signal?.reason);
      };
      const timer = this.after(delayMs, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  #thaw(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const run of held) run();
  }

  async #unfrozen(): Promise<void> {
    const held = this.#held;
    if (held) await new Promise<void>((resolve) => held.push(resolve));
  }

  /** Answers arrive only in a process that runs; a request whose answer is late was carried out all the same. */
  async #carry<R>(call: () => Promise<R>, timeoutMs = 30_000): Promise<R> {
    if (this.#way === "cut") throw new ConnectionLost("connection refused");
    const answer = await call().then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    if (this.#way === "clogged") {
      await this.sleep(timeoutMs);
      throw new ConnectionLost("the answer never came");
    }
    await this.#unfrozen();
    return answer();
  }

  #client(): Client {
    const client: Partial<Client> = {
      find: (kind, name, options) => this.#carry(() => this.#api.find(kind, name), options?.timeoutMs),
      create: (kind, object, options) => this.#carry(() => this.#api.create(kind, object), options?.timeoutMs),
      update: (kind, object, options) => this.#carry(() => this.#api.update(kind, object), options?.timeoutMs),
    };
    return client as Client;
  }
}

type Fault = "freeze" | "thaw" | "cut" | "clogged" | "open" | "wait";
interface Step {
  readonly who: number;
  readonly what: Fault;
  readonly forMs: number;
}

const steps = fc.array(
  fc.record<Step>({
    who: fc.nat(2),
    what: fc.constantFrom("freeze", "thaw", "cut", "clogged", "open", "wait"),
    forMs: fc.integer({ min: 1, max: 40_000 }),
  }),
  { maxLength: 12 },
);

/** Plays the script; returns the most replicas that could start a request at one moment, and whether one leads in the end. */
async function play(script: readonly Step[], mayAct: (replica: Replica) => boolean) {
  const time = new VirtualClock();
  const api = new MemoryApi({ clock: time });
  const replicas = ["a", "b", "c"].map((name) => new Replica(name, time, api));
  const lives = replicas.map((replica) => replica.live());
  let most = 0;
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) {
      await time.advance(Math.min(left, 500));
      most = Math.max(most, replicas.filter(mayAct).length);
    }
  };
  await pass(3_000);
  for (const { who, what, forMs } of script) {
    replicas[who]?.do(what);
    await settle();
    most = Math.max(most, replicas.filter(mayAct).length);
    await pass(forMs);
  }
  for (const replica of replicas) {
    replica.do("thaw");
    replica.do("open");
  }
  await pass(60_000);
  const leaders = replicas.filter((replica) => replica.leads && replica.fence.closed === undefined).length;
  for (const replica of replicas) replica.die();
  await time.advance(60_000);
  await Promise.all(lives);
  return { most, leaders };
}

const guarded = (replica: Replica): boolean => replica.leads && replica.fence.closed === undefined;
const unguarded = (replica: Replica): boolean => replica.leads;

describe("election under random faults", () => {
  it("never lets two replicas start requests, and ends with one leader", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        expect(await play(script, guarded)).toEqual({ most: 1, leaders: 1 });
      }),
      { numRuns: 40 },
    );
  });

  it("mutation check: without the fence the same checker finds two", async () => {
    const script: Step[] = [
      { who: 0, what: "freeze", forMs: 20_000 },
      { who: 1, what: "freeze", forMs: 20_000 },
      { who: 2, what: "freeze", forMs: 20_000 },
    ];
    expect((await play(script, unguarded)).most).toBeGreaterThan(1);
    expect((await play(script, guarded)).most).toBe(1);
  });
});
