import { describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import type { Intent, Kind, KubeObject } from "#kinds";
import type { Client } from "../client/client.ts";
import { isConflict, OutcomeUnknown } from "../client/errors.ts";
import { MemoryApi } from "../testing/memory-api.ts";
import { type IntentPlace, sendGuarded } from "./guarded-send.ts";
import { IntentOpen, isOpen, observeIntent } from "./intent.ts";

interface Machine extends KubeObject {
  status?: { intent?: Intent };
}
const Machine: Kind<Machine> = { group: "", version: "v1", kind: "Machine", plural: "machines", scope: "Cluster" };
const place: IntentPlace<Machine> = {
  kind: Machine,
  read: (machine) => machine.status?.intent,
  write: (machine, intent) => ({ ...machine, status: { ...machine.status, intent } }),
};

class Crash extends Error {}

/** A target that counts its boots, and a controller process that can die at any step and is then started again. */
class World {
  readonly clock = new VirtualClock();
  readonly api = new MemoryApi({ clock: this.clock });
  boots = 7;
  sent: string[] = [];
  #nonces = 0;

  /** One pass: observe an open intent, or decide afresh that a reset is due. Dies when the chosen step is reached. */
  async pass(wanted: number, dieAt?: string, client: Client = this.api): Promise<void> {
    const step = (name: string): void => {
      if (name === dieAt) throw new Crash(name);
    };
    step("start");
    const machine = await client.get(Machine, "m");
    const intent = machine.status?.intent;
    step("read");
    if (isOpen(intent)) {
      const ended = (before: Record<string, string>) => `${this.boots}` !== before.boots;
      const sighting = { targetUID: machine.metadata.uid ?? "", fingerprint: { boots: `${this.boots}` }, ended };
      const after = observeIntent(intent, sighting, this.clock.now());
      await client.patchDifference(Machine, machine, place.write(machine, after), { subresource: "status" });
      step("closed");
      return;
    }
    if (this.boots >= wanted) return;
    const request = {
      action: "Reset",
      targetUID: machine.metadata.uid ?? "",
      nonce: `n${++this.#nonces}`,
      timeoutMs: 60_000,
      fingerprint: { boots: `${this.boots}` },
    };
    const send = async ({ nonce }: Intent): Promise<void> => {
      step("stored");
      this.sent.push(nonce);
      step("sent, effect pending");
      this.boots++;
      step("sent");
    };
    await sendGuarded(client, { place, object: machine, request, now: this.clock.now(), send });
  }
}

async function world(): Promise<World> {
  const made = new World();
  await made.api.create(Machine, { metadata: { name: "m" } });
  return made;
}

const swallow = (error: unknown): void => {
  if (!(error instanceof Crash || error instanceof OutcomeUnknown)) throw error;
};

describe("guarded send", () => {
  it("sends once, and observes to the end", async () => {
    const w = await world();
    await w.pass(8);
    await w.pass(8);
    expect(w.sent).toEqual(["n1"]);
    expect(w.api.snapshot(Machine).m?.status?.intent).toMatchObject({ nonce: "n1", outcome: "Done" });
  });

  it.each([
    ["start", 8],
    ["read", 8],
    ["stored", 8],
    ["sent, effect pending", 8],
    ["sent", 8],
    ["closed", 8],
  ])("dying at '%s' never sends one intent twice, and the work is done in the end", async (dieAt, wanted) => {
    const w = await world();
    await w.pass(wanted, dieAt).catch(swallow);
    await w.pass(wanted, dieAt === "closed" ? dieAt : undefined).catch(swallow);
    const afterRestart = w.sent.length;
    expect(afterRestart).toBeLessThanOrEqual(1);
    await w.clock.advance(61_000);
    for (let pass = 0; pass < 4; pass++) await w.pass(wanted);
    expect(new Set(w.sent).size).toBe(w.sent.length);
    expect(w.boots).toBe(wanted);
    expect(w.api.snapshot(Machine).m?.status?.intent?.outcome).toBe("Done");
  });

  it("does not send when the answer to its write was lost: the next look finds the intent and only watches", async () => {
    const w = await world();
    w.api.loseNextAnswer();
    await expect(w.pass(8)).rejects.toBeInstanceOf(OutcomeUnknown);
    await w.pass(8);
    expect(w.sent).toEqual([]);
    await w.clock.advance(60_000);
    await w.pass(8);
    await w.pass(8);
    expect(w.sent).toEqual(["n2"]);
  });

  it("of two processes that decide at once, one sends", async () => {
    const w = await world();
    const stale = await w.api.get(Machine, "m");
    await w.pass(8);
    const slow = { ...staleReads(w.api, stale) };
    await expect(w.pass(9, undefined, slow)).rejects.toSatisfy(isConflict);
    expect(w.sent).toEqual(["n1"]);
  });

  it("refuses to open a second while one is open", async () => {
    const w = await world();
    await w.pass(8, "stored").catch(swallow);
    const object = await w.api.get(Machine, "m");
    const request = { action: "Wipe", targetUID: "u", nonce: "x", timeoutMs: 1, fingerprint: {} };
    const send = () => Promise.reject(new Error("must not be sent"));
    const attempt = sendGuarded(w.api, { place, object, request, now: w.clock.now(), send });
    await expect(attempt).rejects.toBeInstanceOf(IntentOpen);
  });

  it("a restored backup with an old open intent is observed, not sent again", async () => {
    const w = await world();
    await w.pass(8, "sent").catch(swallow);
    const backup = structuredClone(w.api.snapshot(Machine).m) as Machine;
    await w.pass(8);
    await w.api.delete(Machine, "m");
    w.api.seed(Machine, backup);
    await w.pass(8);
    await w.pass(8);
    expect(w.sent).toEqual(["n1"]);
    expect(w.api.snapshot(Machine).m?.status?.intent?.outcome).toBe("Done");
  });

  it("an intent restored onto a new object fails, because it was meant for another", async () => {
    const w = await world();
    await w.pass(8, "stored").catch(swallow);
    const backup = structuredClone(w.api.snapshot(Machine).m) as Machine;
    await w.api.delete(Machine, "m");
    w.api.seed(Machine, { ...backup, metadata: { name: "m", uid: "a later life" } });
    await w.pass(8);
    expect(w.api.snapshot(Machine).m?.status?.intent?.outcome).toMatch(/^Failed: it was meant for/);
    expect(w.sent).toEqual([]);
  });

  it("does not send when the server dropped the field", async () => {
    const w = await world();
    const object = await w.api.get(Machine, "m");
    const forgetful = { patchDifference: async () => object } as Partial<Client> as Client;
    await expect(w.pass(8, undefined, { ...staleReads(w.api, object), ...forgetful })).rejects.toThrow(
      /did not keep it; does its CRD/,
    );
    expect(w.sent).toEqual([]);
  });
});

/** A client whose reads are as old as `stale` while its writes go to the server, as with a lagging cache. */
function staleReads(api: MemoryApi, stale: Machine): Client {
  const client: Partial<Client> = {
    get: async <T extends KubeObject>() => structuredClone(stale) as KubeObject as T,
    patchDifference: (kind, before, after, options) => api.patchDifference(kind, before, after, options),
  };
  return client as Client;
}
