import { describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import type { RedfishEvent } from "#redfish";
import { cleanUpAfterEach, fleetOf, lanesOf, nth, until } from "./fixture.ts";
import { hardwareOf } from "./watched.ts";

cleanUpAfterEach();

describe("events of a BMC", () => {
  it("make the watch look at once, and end with it", async () => {
    const fleet = await fleetOf({ profile: "openbmc" });
    const { bmc, inside } = nth(fleet, 0);
    const events: RedfishEvent[] = [];
    const { attach, hardware } = hardwareOf(lanesOf(), {
      followEvents: true,
      onEvent: (_, event) => events.push(event),
    });
    const attached = attach(bmc);
    await until(() => attached.snapshot.servers[0]?.power !== undefined, "power known");
    await until(() => inside.traffic.inFlight === 1 && attached.detail().inFlight === 0, "the stream is open");
    const before = attached.snapshot.servers[0]?.facts.atMs ?? 0;
    fleet.control.inject({ kind: "fan-failing" });
    await until(() => events.length > 0, "the event is heard");
    await until(() => (attached.snapshot.servers[0]?.facts.atMs ?? 0) > before, "the server was looked at");
    await hardware.close();
    await until(() => inside.traffic.inFlight === 0, "the stream is closed");
    expect(inside.openSessions).toBe(0);
  });

  it("are not missed where there is no stream", async () => {
    const fleet = await fleetOf({ profile: "generic" });
    const { bmc } = nth(fleet, 0);
    const { attach, hardware } = hardwareOf(lanesOf(), { followEvents: true });
    const attached = attach(bmc);
    await until(() => attached.snapshot.servers.length === 1, "introduced");
    expect(attached.conditions).toEqual([]);
    await hardware.close();
  });

  it("end the polling at one a minute only while the stream is alive", async () => {
    const fleet = await fleetOf({ profile: "openbmc" });
    const { bmc, inside } = nth(fleet, 0);
    const clock = new VirtualClock();
    const { attach } = hardwareOf(lanesOf({ clock }), { clock, followEvents: true });
    const attached = attach(bmc);
    const pass = async (seconds: number) => {
      for (let i = 0; i < seconds; i++) {
        await clock.advance(1_000);
        await until(() => attached.detail().inFlight === 0, "quiet");
      }
    };
    await pass(60);
    await until(() => inside.traffic.inFlight === 1 && attached.detail().inFlight === 0, "the stream is open");
    await pass(30);
    const lastRead = () => attached.snapshot.reachable?.atMs;
    const before = lastRead();
    await pass(150);
    expect(lastRead(), "nothing was read for two minutes").toBe(before);
    inside.subscriptions.endStreams();
    fleet.control.inject({ kind: "unavailable", path: "SSE" });
    await until(() => inside.traffic.inFlight === 0, "the stream is gone");
    await pass(150);
    expect(lastRead(), "reads have begun again").not.toBe(before);
  });
});
