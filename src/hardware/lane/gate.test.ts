import { describe, expect, it } from "vitest";
import { settle, VirtualClock } from "#clock";
import { Gate } from "./gate.ts";

describe("gate", () => {
  it("lets in as many as it is wide, then whoever waits, in order", async () => {
    const gate = new Gate(new VirtualClock(), 2);
    const order: string[] = [];
    const come = (name: string) => gate.enter({}).then(() => order.push(name));
    void come("a");
    void come("b");
    void come("c");
    void come("d");
    await settle();
    expect(order).toEqual(["a", "b"]);
    gate.leave();
    gate.leave();
    await settle();
    expect(order).toEqual(["a", "b", "c", "d"]);
    expect(gate.inside).toBe(2);
    gate.leave();
    gate.leave();
    expect(gate.inside).toBe(0);
  });

  it("lets the urgent go first, in their own order", async () => {
    const gate = new Gate(new VirtualClock(), 1);
    await gate.enter({});
    const order: string[] = [];
    for (const [name, urgent] of [
      ["read", false],
      ["reset", true],
      ["boot", true],
      ["read2", false],
    ] as const)
      void gate.enter({ urgent }).then(() => {
        order.push(name);
        gate.leave();
      });
    gate.leave();
    await settle();
    expect(order).toEqual(["reset", "boot", "read", "read2"]);
    expect(gate.inside).toBe(0);
  });

  it("takes nobody whose deadline passed while waiting, and keeps nothing of them", async () => {
    const clock = new VirtualClock();
    const gate = new Gate(clock, 1);
    await gate.enter({});
    const late = gate.enter({ deadlineAt: 100 });
    const called = new AbortController();
    const off = gate.enter({ signal: called.signal });
    const patient = gate.enter({ deadlineAt: 1_000 });
    await clock.advance(100);
    called.abort();
    expect(await late).toBe("late");
    expect(await off).toBe("aborted");
    expect(gate.waiting).toBe(1);
    gate.leave();
    expect(await patient).toBe("in");
    expect(clock.pendingTimers).toBe(0);
    expect(await gate.enter({ deadlineAt: 50 })).toBe("late");
  });

  it("refuses to let a queue grow without end", async () => {
    const gate = new Gate(new VirtualClock(), 1);
    await gate.enter({});
    const waiting = Array.from({ length: 256 }, () => gate.enter({}));
    expect(await gate.enter({})).toBe("full");
    for (const one of waiting) {
      gate.leave();
      expect(await one).toBe("in");
    }
  });
});
