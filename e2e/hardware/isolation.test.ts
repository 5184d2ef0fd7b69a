import { describe, expect, it } from "vitest";
import { cleanUpAfterEach, fleetOf, hold, lanesOf, nth, systems, until } from "./fixture.ts";

cleanUpAfterEach();

describe("lanes among each other", () => {
  it("are not held up by BMCs that never answer", async () => {
    const fleet = await fleetOf({ servers: 60, profile: "openbmc", latency: 20 });
    const lanes = lanesOf();
    fleet.control.inject({ kind: "black-hole" }, "0-19");
    const handles = fleet.bmcs.map((bmc) => hold(lanes, bmc));
    const over = new AbortController();
    const silent = handles.slice(0, 20).map((handle) => handle.send({ ...systems, signal: over.signal }));
    const began = performance.now();
    const answered = await Promise.all(handles.slice(20).map((handle) => handle.send(systems)));
    expect(answered.every(({ ok }) => ok)).toBe(true);
    expect(performance.now() - began, "long before the silent ones time out").toBeLessThan(10_000);
    fleet.control.clear();
    over.abort(new Error("the test is over"));
    expect((await Promise.all(silent)).some(({ ok }) => ok)).toBe(false);
  });

  it.each([1, 4])("have at most %i requests in flight each", async (width) => {
    const fleet = await fleetOf({ servers: 3, latency: 20 });
    const lanes = lanesOf();
    const handles = fleet.bmcs.map((bmc) => hold(lanes, bmc, { width }));
    await Promise.all(handles.map((handle) => handle.send(systems)));
    const paths = Array.from({ length: 12 }, (_, i) => `/redfish/v1/Systems?${i}`);
    await Promise.all(handles.flatMap((handle) => paths.map((path) => handle.send({ ...systems, path }))));
    for (const { traffic } of fleet.control.bmcs) expect(traffic.mostInFlight).toBe(width);
  });

  it("keep their token and no socket when idle", async () => {
    const fleet = await fleetOf();
    const { bmc, inside } = nth(fleet, 0);
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    await until(() => sockets() === 0, "the sockets of earlier tests are closed");
    const handle = hold(lanesOf({ idleMs: 50 }), bmc);
    await handle.send(systems);
    expect(sockets()).toBeGreaterThan(0);
    const [session] = inside.sessions.list();
    await until(() => sockets() === 0, "the socket is closed", 5_000);
    await handle.send(systems);
    expect(inside.sessions.list()).toEqual([session]);
  });

  it("end an operation by its deadline, however many requests it makes", async () => {
    const fleet = await fleetOf({ latency: 60 });
    const { bmc, inside } = nth(fleet, 0);
    const handle = hold(lanesOf(), bmc);
    await handle.send(systems);
    let made = 0;
    const outcome = await handle.operation({ name: "read it all", deadlineMs: 200 }, async (sender) => {
      let last = await sender.send(systems);
      for (let i = 0; i < 20 && last.ok; i++) {
        made++;
        last = await sender.send({ ...systems, path: `/redfish/v1/Systems?${i}` });
      }
      return last;
    });
    expect(outcome).toMatchObject({
      failure: { code: "TimedOut", message: expect.stringMatching(/^read it all on http/) },
    });
    expect(made).toBeLessThan(5);
    const { requests } = inside.traffic;
    await handle.send(systems);
    expect(inside.traffic.requests).toBe(requests + 1);
  });
});
