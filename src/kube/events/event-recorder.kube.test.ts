import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock as clock } from "#clock";
import { ConfigMap, Event } from "#kinds";
import { type RealApi, realApi } from "../testing/real-api.ts";
import { EventRecorder } from "./event-recorder.ts";

let api: RealApi;
beforeAll(async () => {
  api = await realApi();
});
afterAll(() => api.close());

it("writes events and series the real API server accepts, about namespaced objects", async () => {
  const { client, namespace } = api;
  const dropped: string[] = [];
  const reporter = { controller: "metalwright.dev/test", instance: "test-1" };
  const recorder = new EventRecorder({ client, clock, reporter, onDropped: (reason) => dropped.push(reason) });
  const stop = new AbortController();
  const running = recorder.run(stop.signal);
  const object = await client.create(ConfigMap, { metadata: { namespace, name: "subject" } });
  const said = { type: "Warning", reason: "Cold", action: "Warm", note: "it is ❄ out here" } as const;
  const series = async () => {
    const { items } = await client.list(Event, { namespace });
    return items.map(({ note, series, regarding }) => [note, series?.count, regarding?.name]);
  };
  recorder.record(object, said);
  await expect.poll(series, { timeout: 5_000 }).toEqual([[said.note, undefined, "subject"]]);
  for (let i = 0; i < 4; i++) recorder.record(object, said);
  recorder.record(object, { ...said, note: "x".repeat(5_000) });
  stop.abort();
  await running;
  expect(await series()).toContainEqual([said.note, 5, "subject"]);
  expect(await series()).toHaveLength(2);
  expect(dropped).toEqual([]);
});
