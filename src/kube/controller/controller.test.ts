import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { settle } from "#clock";
import { type KubeObject, withCondition } from "#kinds";
import { ApiError } from "../client/errors.ts";
import { at, Box, box, resize } from "../testing/box.ts";
import { Crate, conditionsOf, nothing, noting } from "../testing/noting.ts";
import { runtimeRig } from "../testing/runtime-rig.ts";
import { controller, type Look } from "./controller.ts";
import type { Decision, Write } from "./decision.ts";
import { parsePassRecord, replay } from "./replay.ts";

describe("when a pass goes wrong", () => {
  it.each(["observe", "decide", "act"] as const)(
    "%s throws: backs off, says so once per pass, recovers",
    async (step) => {
      const rig = runtimeRig();
      await rig.api.create(Box, box("bad"));
      await rig.api.create(Box, box("good"));
      let broken = true;
      const seen: string[] = [];
      const trip = (at: string, name?: string): void => {
        if (at === step && name === "bad" && broken) throw new Error("boom");
      };
      await rig.start(
        controller<Box, Box>({
          name: "tripping",
          kind: Box,
          observe: ({ object }) => {
            seen.push(`${object.metadata.name}`);
            trip("observe", object.metadata.name);
            return object;
          },
          decide: (object) => {
            trip("decide", object.metadata.name);
            return nothing;
          },
          act: async ({ object }) => trip("act", object.metadata.name),
        }),
      );
      await rig.clock.advance(1_000);
      const tries = seen.filter((name) => name === "bad").length;
      expect(tries).toBeGreaterThan(5);
      expect(tries).toBeLessThan(12);
      expect(seen.filter((name) => name === "good")).toHaveLength(1);
      const failures = rig.log.filter(({ msg }) => msg === "pass failed");
      expect(failures).toHaveLength(tries);
      expect(failures[0]).toMatchObject({
        controller: "tripping",
        object: "ns/bad",
        step,
        reconcileId: expect.any(String),
      });
      expect(new Set(failures.map(({ reconcileId }) => reconcileId)).size).toBe(tries);
      broken = false;
      await rig.clock.advance(10_000);
      expect(
        await rig.metric("controller_runtime_reconcile_total", { controller: "tripping", result: "success" }),
      ).toBe(2);
      expect(await rig.metric("workqueue_retries_total", { controller: "tripping" })).toBe(tries);
      await rig.end();
    },
  );

  const create: Write = { verb: "create", kind: Crate, object: { metadata: at("child") } };
  const once = (object: Box, crates: readonly KubeObject[]): Decision =>
    crates.length === 0 && object ? { ...nothing, writes: [create] } : nothing;

  it("the answer to a write was lost: it looks again and finds it done", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    rig.api.loseNextAnswer();
    const observe = ({ object, cache }: Look<Box>) => ({ object, crates: cache(Crate).list() });
    const options = { name: "creating", kind: Box, reads: [Crate], observe };
    await rig.start(controller({ ...options, decide: ({ object, crates }) => once(object, crates) }));
    await rig.clock.advance(5_000);
    expect(rig.api.requests.filter((request) => request.startsWith("create crates"))).toHaveLength(1);
    expect(await rig.metric("controller_runtime_reconcile_total", { controller: "creating", result: "unknown" })).toBe(
      1,
    );
    expect(await rig.metric("controller_runtime_reconcile_total", { controller: "creating", result: "success" })).toBe(
      1,
    );
    await rig.end();
  });

  it("a status write conflicts: quick retry on fresh facts, no noise, no lost condition", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    let first = true;
    const { controller } = noting({
      observe: async ({ object, now }) => {
        if (!first) return object;
        first = false;
        const theirs = withCondition([], { type: "Theirs", status: "True", reason: "R", message: "" }, now);
        await rig.api.patch(
          Box,
          at("a"),
          { type: "merge", body: { status: { conditions: theirs } } },
          { subresource: "status" },
        );
        return object;
      },
      decide: () => ({ ...nothing, conditions: [{ type: "Ours", status: "True", reason: "R", message: "" }] }),
    });
    await rig.start(controller);
    await rig.clock.advance(100);
    expect(conditionsOf(rig.api.snapshot(Box)["ns/a"]).map(({ type }) => type)).toEqual(["Theirs", "Ours"]);
    expect(rig.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    await rig.end();
  });

  it("a conflict that never ends becomes an error a person can see", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const refusal = new ApiError("patch", 409, { reason: "Conflict", message: "modified" });
    const { controller } = noting({ act: () => Promise.reject(refusal) });
    await rig.start(controller);
    await rig.clock.advance(10_000);
    expect(rig.log.some(({ msg, level }) => msg === "pass failed" && level === 50)).toBe(true);
    await rig.end();
  });

  it("the server says when to come back, and is obeyed", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const busy = new ApiError("patch", 429, { reason: "TooManyRequests" }, 7_000);
    let calls = 0;
    const { seen, controller } = noting({ act: () => (calls++ === 0 ? Promise.reject(busy) : Promise.resolve()) });
    await rig.start(controller);
    await rig.clock.advance(6_999);
    expect(seen).toEqual(["a"]);
    await rig.clock.advance(1);
    expect(seen).toEqual(["a", "a"]);
    await rig.end();
  });

  it("the object is gone: the pass is over before it began", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const gone: string[] = [];
    const { seen, controller } = noting({ gone: ({ name }) => gone.push(name) });
    await rig.start(controller);
    await rig.api.delete(Box, at("a"));
    await settle();
    expect(seen).toEqual(["a"]);
    expect(gone).toEqual(["a"]);
    await rig.end();
  });

  it("a pass that takes too long is told to stop, and its key backs off", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("slow"));
    const { controller } = noting({
      passTimeoutMs: 5_000,
      observe: async ({ object, signal }) => {
        await rig.clock.sleep(60_000, signal);
        return object;
      },
    });
    await rig.start(controller);
    await rig.clock.advance(5_000);
    expect(rig.log).toContainEqual(expect.objectContaining({ msg: "pass overdue, told to stop" }));
    expect(rig.log).toContainEqual(expect.objectContaining({ msg: "pass failed" }));
    await rig.end();
  });
});

describe("running", () => {
  it("works on as many objects at once as told, and never twice on one", async () => {
    const rig = runtimeRig();
    for (const name of ["a", "b", "c", "d", "e"]) await rig.api.create(Box, box(name));
    const now: string[] = [];
    let most = 0;
    const { controller } = noting({
      concurrency: 3,
      observe: async ({ object, signal }) => {
        const name = `${object.metadata.name}`;
        expect(now).not.toContain(name);
        now.push(name);
        most = Math.max(most, now.length);
        await rig.clock.sleep(1_000, signal);
        now.splice(now.indexOf(name), 1);
        return object;
      },
    });
    await rig.start(controller);
    await rig.api.patch(Box, at("a"), resize(2));
    await rig.clock.advance(10_000);
    expect(most).toBe(3);
    expect(await rig.metric("controller_runtime_reconcile_total", { controller: "noting", result: "success" })).toBe(6);
    await rig.end();
  });

  it("told to stop, it lets the running pass finish and takes no other", async () => {
    const rig = runtimeRig();
    for (const name of ["a", "b"]) await rig.api.create(Box, box(name));
    const finished: string[] = [];
    const { controller } = noting({
      observe: async ({ object }) => {
        await rig.clock.sleep(5_000);
        return object;
      },
      act: async ({ object }) => void finished.push(`${object.metadata.name}`),
    });
    await rig.start(controller);
    rig.stop.abort();
    await rig.clock.advance(5_000);
    await rig.end();
    expect(finished).toEqual(["a"]);
  });

  it("told to end at once, the running pass is cut and nothing is written after it", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    let wrote = false;
    const { controller } = noting({
      observe: async ({ object, signal }) => {
        await rig.clock.sleep(5_000, signal);
        return object;
      },
      act: async () => {
        wrote = true;
      },
    });
    await rig.start(controller);
    rig.stop.abort();
    rig.kill.abort(new Error("lease lost"));
    await rig.end();
    expect(wrote).toBe(false);
    expect(await rig.metric("controller_runtime_reconcile_total", { controller: "noting", result: "stopped" })).toBe(1);
  });

  it("told to end at once, a pass that does not listen goes no further than its observation", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    let decided = false;
    const { controller } = noting({
      observe: async ({ object }) => {
        await rig.clock.sleep(5_000);
        return object;
      },
      decide: () => {
        decided = true;
        return nothing;
      },
    });
    await rig.start(controller);
    rig.stop.abort();
    rig.kill.abort(new Error("lease lost"));
    await rig.clock.advance(5_000);
    await rig.end();
    expect(decided).toBe(false);
  });

  it("leaves nothing behind on the signals it was given, after any number of passes", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const { seen, controller } = noting({ concurrency: 20, decide: () => ({ ...nothing, wakeAt: new Date(0) }) });
    await rig.start(controller);
    await rig.clock.advance(20_000);
    expect(seen.length).toBeGreaterThan(100);
    expect(getEventListeners(rig.kill.signal, "abort")).toHaveLength(0);
    await rig.end();
    expect(getEventListeners(rig.stop.signal, "abort")).toHaveLength(0);
  });

  it("records every pass so that it can be replayed", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const decide = (seen: Box): Decision => ({ ...nothing, reason: `size ${seen.spec?.size}` });
    const { controller } = noting({ decide });
    await rig.start(controller);
    const [line] = rig.passes.lines("noting");
    expect(replay(parsePassRecord<Box, never>(line ?? ""), decide).same).toBe(true);
    await rig.end();
  });

  it("refuses to look into a cache it did not name", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const { controller } = noting({ observe: ({ cache, object }) => cache(Crate).get(at("x")) ?? object });
    await rig.start(controller);
    const failure = rig.log.find(({ msg }) => msg === "pass failed") as { err: { message: string } };
    expect(failure.err.message).toMatch(/no cache of Crate: name it among its wakes or reads/);
    await rig.end();
  });

  it.each([
    [{ name: "Not Good" }, /lower-case letters/],
    [{ concurrency: 0 }, /at least 1/],
  ])("refuses %o", (over, message) => {
    expect(() => noting(over)).toThrow(message);
  });
});
