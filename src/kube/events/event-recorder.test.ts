import { describe, expect, it } from "vitest";
import { settle, VirtualClock } from "#clock";
import { Event, type KubeObject } from "#kinds";
import type { Client } from "../client/client.ts";
import { ApiError } from "../client/errors.ts";
import type { Announcement } from "../controller/decision.ts";
import { MemoryApi } from "../testing/memory-api.ts";
import { Fenced } from "../transport/fence.ts";
import { EventRecorder, type EventRecorderOptions } from "./event-recorder.ts";

const rack: KubeObject = { apiVersion: "example.dev/v1", kind: "Rack", metadata: { name: "r1", uid: "u1" } };
const said = (note: string, reason = "Moved"): Announcement => ({ type: "Normal", reason, action: "Move", note });

function scene(options: Partial<EventRecorderOptions> = {}) {
  const clock = new VirtualClock();
  const api = new MemoryApi({ clock });
  const dropped: string[] = [];
  const reporter = { controller: "example.dev/racks", instance: "pod-1" };
  const onDropped = (reason: string): void => void dropped.push(reason);
  const recorder = new EventRecorder({ client: api, clock, reporter, onDropped, ...options });
  const stop = new AbortController();
  const running = recorder.run(stop.signal);
  const events = () => Object.values(api.snapshot(Event));
  const finish = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  return { clock, api, dropped, recorder, stop, running, events, finish };
}

describe("event recorder", () => {
  it("writes a first occurrence as the server and kubectl want it", async () => {
    const { recorder, events, finish } = scene();
    recorder.record(rack, said("moved to row 4"));
    await settle();
    expect(events()).toMatchObject([
      {
        apiVersion: "events.k8s.io/v1",
        metadata: { namespace: "default" },
        eventTime: "2026-01-01T00:00:00.000000Z",
        reportingController: "example.dev/racks",
        reportingInstance: "pod-1",
        type: "Normal",
        reason: "Moved",
        action: "Move",
        note: "moved to row 4",
        regarding: { apiVersion: "example.dev/v1", kind: "Rack", name: "r1", uid: "u1" },
      },
    ]);
    expect(events()[0]).not.toHaveProperty("series");
    await finish();
  });

  it("makes repeats within the window one series, written now and then", async () => {
    const { clock, api, recorder, events, finish } = scene();
    for (let i = 0; i < 100; i++) {
      recorder.record(rack, said("moved"));
      await clock.advance(1_000);
    }
    await clock.advance(60_000);
    expect(events()).toMatchObject([{ series: { count: 100, lastObservedTime: "2026-01-01T00:01:39.000000Z" } }]);
    expect(api.requests.length).toBeLessThan(10);
    await finish();
  });

  it("starts a new event after a silence longer than the window", async () => {
    const { clock, recorder, events, finish } = scene();
    recorder.record(rack, said("moved"));
    await clock.advance(361_000);
    recorder.record(rack, said("moved"));
    await clock.advance(1);
    expect(events().map((event) => event.series)).toEqual([undefined, undefined]);
    await finish();
  });

  it("keeps different notes apart", async () => {
    const { recorder, events, finish } = scene();
    for (const note of ["a", "b", "c"]) recorder.record(rack, said(note));
    await settle();
    await finish();
    expect(
      events()
        .map((event) => event.note)
        .sort(),
    ).toEqual(["a", "b", "c"]);
  });

  it("bounds the chatter about one object and leaves others their share", async () => {
    const { clock, recorder, events, dropped, finish } = scene({ burst: 5, refillMs: 60_000 });
    for (let i = 0; i < 50; i++) recorder.record(rack, said(`step ${i}`));
    recorder.record({ ...rack, metadata: { name: "r2", uid: "u2" } }, said("quiet neighbour"));
    await settle();
    expect(events()).toHaveLength(6);
    expect(dropped).toEqual(Array(45).fill("spam"));
    await clock.advance(60_000);
    recorder.record(rack, said("one more after a while"));
    await finish();
    expect(events()).toHaveLength(7);
  });

  it("keeps no more series than it may", async () => {
    const { recorder, dropped, finish } = scene({ maxSeries: 10 });
    for (let i = 0; i < 1_000; i++) {
      recorder.record({ ...rack, metadata: { name: `r${i}`, uid: `u${i}` } }, said("moved"));
    }
    expect(recorder.size).toBe(10);
    expect(dropped.filter((reason) => reason === "overflow").length).toBe(990);
    await finish();
  });

  it("tries again when the server is away, and tells it once", async () => {
    const { clock, api, recorder, events, finish } = scene();
    api.failNext("create", new Error("connection reset"), 3);
    recorder.record(rack, said("moved"));
    await clock.advance(20_000);
    expect(events()).toHaveLength(1);
    await finish();
  });

  it("does not write twice when the answer was lost", async () => {
    const { clock, api, recorder, events, finish } = scene();
    api.loseNextAnswer();
    recorder.record(rack, said("moved"));
    await clock.advance(20_000);
    recorder.record(rack, said("moved"));
    await clock.advance(60_000);
    expect(events()).toMatchObject([{ series: { count: 2 } }]);
    await finish();
  });

  it.each([
    ["a refusal", new ApiError("create", 403, { reason: "Forbidden" })],
    ["a closed fence", new Fenced("lease lost")],
  ])("gives up on %s without ever throwing", async (_, error) => {
    const { clock, api, recorder, dropped, finish } = scene();
    api.failNext("create", error);
    recorder.record(rack, said("moved"));
    await clock.advance(20_000);
    expect(dropped).toEqual(["refused"]);
    await finish();
  });

  it("begins the series anew when the server has forgotten the event", async () => {
    const { clock, api, recorder, events, finish } = scene();
    recorder.record(rack, said("moved"));
    await clock.advance(1_000);
    const [event] = events();
    await api.delete(Event, { namespace: "default", name: event?.metadata.name ?? "" });
    recorder.record(rack, said("moved"));
    await clock.advance(5_000);
    expect(events()).toMatchObject([{ series: { count: 2 } }]);
    await finish();
  });

  it("writes what is left at the end, within its deadline even when the server hangs", async () => {
    const clock = new VirtualClock();
    const hangs: Partial<Client> = {
      create: (_kind, _object, options) =>
        new Promise((_, reject) =>
          options?.signal?.addEventListener("abort", () => reject(options.signal?.reason), { once: true }),
        ),
    };
    const reporter = { controller: "c", instance: "i" };
    const recorder = new EventRecorder({ client: hangs as Client, clock, reporter });
    recorder.record(rack, said("a"));
    recorder.record(rack, said("b"));
    const stop = new AbortController();
    const running = recorder.run(stop.signal, 5_000);
    await settle();
    stop.abort();
    await clock.advance(5_000);
    await running;
    expect(clock.pendingTimers).toBe(0);
  });

  it("flushes a growing series at the end", async () => {
    const { recorder, events, finish } = scene();
    for (let i = 0; i < 7; i++) {
      recorder.record(rack, said("moved"));
      await settle();
    }
    await finish();
    expect(events()).toMatchObject([{ series: { count: 7 } }]);
  });

  it("cuts an endless note to what the server takes, between characters", async () => {
    const { recorder, events, finish } = scene();
    recorder.record(rack, said("😀".repeat(2_000)));
    await finish();
    const note = events()[0]?.note ?? "";
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
    expect(Buffer.from(note).toString()).toBe(note);
  });
});
