/** What a manager says, and what it leaves behind, when something around it is wrong. */
import { pino } from "pino";
import { expect, it } from "vitest";
import { seededRandom, VirtualClock } from "#clock";
import { ApiError } from "../client/errors.ts";
import { Box } from "../testing/box.ts";
import { fencedClient } from "../testing/fenced-client.ts";
import { MemoryApi } from "../testing/memory-api.ts";
import { noting } from "../testing/noting.ts";
import { createManager, type ManagerOptions } from "./manager.ts";

function scene(over: Partial<ManagerOptions> = {}) {
  const clock = new VirtualClock();
  const api = new MemoryApi({ clock });
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const connect: ManagerOptions["connect"] = (fence) => fencedClient(api, fence);
  const manager = createManager({ connect, clock, random: seededRandom(1), logger, ...over });
  return { clock, api, log, manager: manager.add(noting().controller) };
}

it("says when a cache that was filled does not follow its kind any more, and not when a line is merely cut", async () => {
  const { clock, api, log, manager } = scene();
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  const said = () => log.filter(({ msg }) => msg === "watch failed, trying again");
  await clock.advance(120_000);
  api.cutWatches();
  await clock.advance(120_000);
  expect(said()).toEqual([]);
  api.failNext("watch", new ApiError("watch", 403, { reason: "Forbidden", message: "boxes is forbidden" }), 5);
  api.cutWatches();
  await clock.advance(120_000);
  expect(said()).toHaveLength(5);
  expect(said()[0]).toMatchObject({ level: 40, kind: Box.plural, err: { message: "watch: boxes is forbidden" } });
  const failures = await manager.registry.getSingleMetric("metalwright_watch_failures_total")?.get();
  expect(failures?.values).toMatchObject([{ labels: { kind: Box.plural }, value: 5 }]);
  stop.abort();
  await running;
});

it("refuses an election that cannot be timed before anything starts", async () => {
  const timing = { leaseDurationMs: 1_000, renewDeadlineMs: 2_000, retryPeriodMs: 500 };
  const election = { lease: { namespace: "system", name: "leader" }, timing };
  const { clock, api, manager } = scene({ election, serve: { port: 0 } });
  await expect(manager.run(new AbortController().signal)).rejects.toBeInstanceOf(RangeError);
  await clock.advance(1_000);
  expect(api.requests).toEqual([]);
  expect(manager.url).toBeUndefined();
  expect(clock.pendingTimers).toBe(0);
});
