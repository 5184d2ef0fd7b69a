import { describe, expect, it } from "vitest";
import { seededRandom, settle, VirtualClock } from "#clock";
import { failure, type Outcome, success } from "#redfish";
import { Lane, type LaneOptions } from "./lane.ts";

function lane(options: Partial<LaneOptions> = {}) {
  const clock = new VirtualClock();
  return { clock, lane: new Lane({ key: "http://bmc:80", clock, random: seededRandom(1), ...options }) };
}

/** An exchange that ends when told, or when its signal is aborted. */
function pending() {
  const ends: ((outcome: Outcome<string>) => void)[] = [];
  const perform = (signal: AbortSignal) =>
    new Promise<Outcome<string>>((resolve) => {
      ends.push(resolve);
      signal.addEventListener("abort", () => resolve(failure("ConnectionLost", "aborted")));
    });
  return { ends, perform };
}

const silent = async (): Promise<Outcome<never>> => failure("TimedOut", "GET /: no answer");

describe("lane", () => {
  it("has one exchange under way, however many are asked for", async () => {
    const { lane: one } = lane();
    let running = 0;
    let most = 0;
    const perform = async () => {
      most = Math.max(most, ++running);
      await settle();
      running--;
      return success("done");
    };
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) => one.run({ attempt: `GET /${i}` }, perform)),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(most).toBe(1);
    expect(one.detail()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  it.each([0, 5, 1.5])("refuses a width of %s", (width) => {
    expect(() => lane({ width })).toThrow(/between 1 and 4/);
  });

  it("answers equal reads at the same time with one exchange, but not across a change", async () => {
    const { lane: one } = lane({ width: 2 });
    const { ends, perform } = pending();
    const first = one.run({ attempt: "GET /a", share: "a" }, perform);
    const second = one.run({ attempt: "GET /a", share: "a" }, perform);
    await settle();
    expect(ends).toHaveLength(1);
    await one.run({ attempt: "PATCH /a", changes: true }, async () => success("changed"));
    const third = one.run({ attempt: "GET /a", share: "a" }, perform);
    await settle();
    expect(ends).toHaveLength(2);
    ends[0]?.(success("old"));
    ends[1]?.(success("new"));
    expect([await first, await second, await third]).toEqual([success("old"), success("old"), success("new")]);
  });

  it("lets who joined a read leave by his own deadline, and the read go on for the others", async () => {
    const { lane: one, clock } = lane();
    const { ends, perform } = pending();
    const patient = one.run({ attempt: "GET /a", share: "a" }, perform);
    const hurried = one.run({ attempt: "GET /a", share: "a", deadlineAt: 1_000 }, perform);
    await clock.advance(1_000);
    expect(await hurried).toMatchObject({ ok: false, failure: { code: "TimedOut" } });
    ends[0]?.(success("value"));
    expect(await patient).toEqual(success("value"));
    expect(clock.pendingTimers).toBe(0);
  });

  it("ends an exchange at its deadline and says so", async () => {
    const { lane: one, clock } = lane();
    const { perform } = pending();
    const asked = one.run({ attempt: "POST /reset", deadlineAt: 2_000 }, perform);
    const behind = one.run({ attempt: "GET /b", deadlineAt: 1_000 }, perform);
    await clock.advance(2_000);
    expect(await behind).toMatchObject({ failure: { code: "TimedOut", message: "GET /b: its deadline passed" } });
    expect(await asked).toMatchObject({ failure: { code: "TimedOut" } });
    expect(one.detail().breaker).toBe("closed");
  });

  it("stops asking a silent BMC, asks again after the pause, and recovers", async () => {
    const { lane: one, clock } = lane();
    for (let i = 0; i < 3; i++) await one.run({ attempt: "GET /" }, silent);
    let asked = 0;
    const counted = async () => success(++asked);
    expect(await one.run({ attempt: "GET /" }, counted)).toMatchObject({ failure: { code: "Busy" } });
    expect(asked).toBe(0);
    expect(one.conditions.has("Unresponsive")).toBe(true);
    await clock.advance(6_000);
    expect(await one.run({ attempt: "GET /" }, counted)).toEqual(success(1));
    expect(one.conditions.list()).toEqual([]);
  });

  it("sends nothing of what waited when the breaker opens under it", async () => {
    const { lane: one } = lane();
    let asked = 0;
    const perform = async () => {
      asked++;
      await settle();
      return silent();
    };
    await Promise.all(Array.from({ length: 10 }, (_, i) => one.run({ attempt: `GET /${i}` }, perform)));
    expect(asked).toBe(3);
  });

  it.each([
    ["Refused", "closed"],
    ["NotFound", "closed"],
    ["Unauthorized", "closed"],
    ["Fenced", "closed"],
    ["Unreachable", "open"],
    ["ConnectionLost", "open"],
    ["BrokenAnswer", "open"],
    ["ServerError", "open"],
    ["Untrusted", "open"],
  ] as const)("after many %s the breaker is %s", async (code, state) => {
    const { lane: one } = lane();
    for (let i = 0; i < 4; i++) await one.run({ attempt: "GET /" }, async () => failure(code, "it said so"));
    expect(one.detail().breaker).toBe(state);
  });

  it("obeys Retry-After without calling it a failure", async () => {
    const { lane: one, clock } = lane();
    const busy = async () => failure("Busy", "GET /: HTTP 503", { retryAfterMs: 20_000 });
    await one.run({ attempt: "GET /" }, busy);
    expect(await one.run({ attempt: "GET /" }, async () => success(1))).toMatchObject({
      failure: { code: "Busy", retryAfterMs: 20_000 },
    });
    await clock.advance(20_000);
    expect(await one.run({ attempt: "GET /" }, async () => success(1))).toEqual(success(1));
  });

  it("does not blame the BMC for what its callers called off", async () => {
    const { lane: one } = lane();
    for (let i = 0; i < 5; i++) {
      const stop = new AbortController();
      const { perform } = pending();
      const asked = one.run({ attempt: "GET /", signal: stop.signal }, perform);
      await settle();
      stop.abort(new Error("shutting down"));
      expect(await asked).toMatchObject({ ok: false });
    }
    expect(one.detail().breaker).toBe("closed");
  });

  it("survives an exchange that throws", async () => {
    const { lane: one } = lane();
    const throws = async (): Promise<Outcome<never>> => {
      throw new TypeError("a bug");
    };
    await expect(one.run({ attempt: "GET /" }, throws)).rejects.toThrow("a bug");
    expect(await one.run({ attempt: "GET /" }, async () => success(1))).toEqual(success(1));
    expect(one.detail().inFlight).toBe(0);
  });

  it("closes: what is under way may end, what waits is dropped, nothing new is taken", async () => {
    const { lane: one, clock } = lane();
    const { ends, perform } = pending();
    const underWay = one.run({ attempt: "GET /a" }, perform);
    const waiting = one.run({ attempt: "GET /b" }, perform);
    await settle();
    const closing = one.close(5_000);
    expect(await waiting).toMatchObject({ failure: { code: "Fenced" } });
    expect(await one.run({ attempt: "GET /c" }, perform)).toMatchObject({ failure: { code: "Fenced" } });
    ends[0]?.(success("in time"));
    expect(await underWay).toEqual(success("in time"));
    await closing;
    expect(await one.run({ attempt: "logout", last: true }, async () => success("bye"))).toEqual(success("bye"));
    expect(clock.pendingTimers).toBe(0);
  });

  it("ends what does not end by itself when it closes", async () => {
    const { lane: one, clock } = lane();
    const { perform } = pending();
    const underWay = one.run({ attempt: "GET /a" }, perform);
    await settle();
    const closing = one.close(5_000);
    await clock.advance(5_000);
    await closing;
    expect(await underWay).toMatchObject({ failure: { code: "Fenced" } });
  });
});
