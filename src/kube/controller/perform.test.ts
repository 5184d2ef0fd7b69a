import { describe, expect, it } from "vitest";
import { at, Box, box, resize } from "../testing/box.ts";
import { Crate, conditionsOf, nothing, noting } from "../testing/noting.ts";
import { runtimeRig } from "../testing/runtime-rig.ts";
import { controller, type Look } from "./controller.ts";
import { change } from "./decide.ts";
import type { Decision, Write } from "./decision.ts";
import { projectWaiting } from "./perform.ts";

describe("acting", () => {
  const ready = { type: "Ready", status: "True", reason: "Fine", message: "all well" } as const;

  it("states conditions with one status patch, and sends nothing when they stand already", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const { controller } = noting({ decide: () => ({ ...nothing, conditions: [ready] }) });
    await rig.start(controller);
    await rig.clock.advance(1_000);
    expect(conditionsOf(rig.api.snapshot(Box)["ns/a"])).toEqual([
      { ...ready, lastTransitionTime: "2026-01-01T00:00:00Z" },
    ]);
    await rig.api.patch(Box, at("a"), resize(2));
    await rig.clock.advance(1_000);
    expect(rig.api.requests.filter((request) => request.startsWith("patch"))).toHaveLength(2);
    await rig.end();
  });

  it("writes in order, several to one object in one pass, and still notices another writer", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a", 1));
    let meddle = true;
    const grow = async ({ object }: Look<Box>): Promise<Box> => {
      if (object.spec?.size === 2 && meddle) {
        meddle = false;
        await rig.api.patch(Box, at("a"), { type: "merge", body: { metadata: { labels: { meddled: "yes" } } } });
      }
      return object;
    };
    const decide = (seen: Box): Decision => {
      const size = seen.spec?.size ?? 0;
      if (size > 2) return nothing;
      const after = { ...seen, spec: { size: size + 1 } };
      const labelled = { ...seen, metadata: { ...seen.metadata, annotations: { grown: `${size}` } } };
      const writes = [change(Box, seen, after), change(Box, seen, labelled)];
      return { ...nothing, writes, conditions: [{ ...ready, message: `size ${size}` }] };
    };
    const { controller } = noting({ observe: grow, decide });
    await rig.start(controller);
    await rig.clock.advance(5_000);
    const end = rig.api.snapshot(Box)["ns/a"];
    expect(end).toMatchObject({
      spec: { size: 3 },
      metadata: { labels: { meddled: "yes" }, annotations: { grown: "2" } },
    });
    expect(conditionsOf(end)[0]?.message).toBe("size 2");
    expect(await rig.metric("controller_runtime_reconcile_total", { controller: "noting", result: "conflict" })).toBe(
      1,
    );
    expect(rig.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    await rig.end();
  });

  it("creates, applies, patches and deletes; what is gone already counts as deleted", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    await rig.api.create(Crate, { metadata: at("doomed") });
    const writes: Write[] = [
      { verb: "create", kind: Crate, object: { metadata: at("made") } },
      { verb: "apply", kind: Crate, object: { metadata: { ...at("applied"), labels: { by: "us" } } } },
      {
        verb: "patch",
        kind: Crate,
        name: at("made"),
        patch: { type: "merge", body: { metadata: { labels: { x: "y" } } } },
      },
      { verb: "delete", kind: Crate, name: at("doomed") },
      { verb: "delete", kind: Crate, name: at("never-was") },
    ];
    const { controller } = noting({ decide: () => ({ ...nothing, writes }) });
    await rig.start(controller);
    const crates = rig.api.snapshot(Crate);
    expect(Object.keys(crates)).toEqual(["ns/applied", "ns/made"]);
    expect(crates["ns/made"]?.metadata.labels).toEqual({ x: "y" });
    await rig.end();
  });

  it("asks the hardware after the writes and before the status, and announces when all is done", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const asked: string[] = [];
    const said = { type: "Normal", reason: "Woken", action: "Wake", note: "knock" } as const;
    await rig.start(
      controller<Box, Box, "knock">({
        name: "knocking",
        kind: Box,
        observe: ({ object }) => object,
        decide: (seen) => {
          const create = { verb: "create", kind: Crate, object: { metadata: at("intent") } } as const;
          const first = seen.status === undefined;
          return {
            writes: first ? [create] : [],
            hardware: first ? ["knock"] : [],
            conditions: [ready],
            announcements: first ? [said] : [],
            reason: "test",
          };
        },
        hardware: (action, { object }) => {
          const stored = Object.keys(rig.api.snapshot(Crate)).join();
          const status = conditionsOf(rig.api.snapshot(Box)["ns/a"]).length;
          asked.push(`${action} ${object.metadata.name}, stored: ${stored}, conditions: ${status}`);
        },
      }),
    );
    expect(asked).toEqual(["knock a, stored: ns/intent, conditions: 0"]);
    expect(rig.announced).toEqual([{ name: "a", ...said }]);
    await rig.end();
  });

  it("an act of one's own can add to the usual one", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const order: string[] = [];
    const { controller } = noting({
      decide: () => ({ ...nothing, conditions: [ready] }),
      act: async ({ decision, perform }) => {
        order.push(decision.reason);
        await perform();
        order.push("performed");
      },
    });
    await rig.start(controller);
    expect(order.slice(0, 2)).toEqual(["nothing to do", "performed"]);
    expect(conditionsOf(rig.api.snapshot(Box)["ns/a"])).toHaveLength(1);
    await rig.end();
  });
});

describe("projecting a wait", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const waitingFor = { what: "PowerOff", since: now, message: "asked 3 times", attempts: 3 };
  const waiting: Decision = { ...nothing, waitingFor };
  const object: Box & { status?: object } = {
    apiVersion: "test.io/v1",
    kind: "Box",
    metadata: {},
    status: { phase: "On" },
  };

  it("writes it with times as text, keeps it while it is the same, and clears it when it is over", () => {
    const waits = projectWaiting(object, waiting, now);
    const text = { ...waitingFor, since: "2026-01-01T00:00:00.000Z" };
    expect(waits.status).toEqual({ phase: "On", waitingFor: text });
    expect(projectWaiting(waits, waiting, now)).toBe(waits);
    expect(projectWaiting(waits, nothing, now).status).toEqual({ phase: "On" });
    expect(projectWaiting(object, nothing, now)).toBe(object);
  });
});
