import { afterEach, describe, expect, it } from "vitest";
import { hours, minutes, seconds, seededRandom, VirtualClock } from "#clock";
import { HardwareWatch } from "./hardware-watch.ts";
import { ScriptedDriver } from "./scripted-driver.ts";
import { type HardwareChange, serverIn } from "./snapshot.ts";

const watches: HardwareWatch[] = [];
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop();
});

async function watching(...servers: string[]) {
  const clock = new VirtualClock();
  const driver = new ScriptedDriver(...servers);
  const watch = new HardwareWatch({ driver, clock, random: seededRandom(1) });
  watches.push(watch);
  const changes: HardwareChange[] = [];
  watch.subscribe((change) => changes.push(change));
  watch.start();
  await clock.advance(seconds(1));
  return { clock, driver, watch, changes };
}

/** Asked per minute over an hour, after the first minutes. */
async function perMinute({ clock, driver }: { clock: VirtualClock; driver: ScriptedDriver }): Promise<number> {
  await clock.advance(minutes(2));
  const before = driver.asked.length;
  await clock.advance(hours(1));
  return (driver.asked.length - before) / 60;
}

describe("hardware watch", () => {
  it("gets to know the BMC at once and its power after a second look", async () => {
    const { watch, clock, changes } = await watching("/a");
    expect(serverIn(watch.snapshot, "/a")?.facts.value.power).toBe("Off");
    expect(serverIn(watch.snapshot, "/a")?.power).toBeUndefined();
    await clock.advance(seconds(3));
    expect(serverIn(watch.snapshot, "/a")?.power?.value).toBe("Off");
    expect(watch.snapshot.manager?.value.model).toBe("sim");
    expect(changes).toContainEqual({ server: "/a", parts: ["power"] });
  });

  it.each([[["/a"]], [["/a", "/b", "/c", "/d"]]])("asks %j no more than once a minute when idle", async (servers) => {
    expect(await perMinute(await watching(...servers))).toBeLessThanOrEqual(1);
  });

  it("still looks at every server and the manager when idle", async () => {
    const { clock, driver } = await watching("/a", "/b");
    await clock.advance(minutes(2));
    driver.asked.length = 0;
    await clock.advance(minutes(4));
    expect(new Set(driver.asked)).toEqual(new Set(["/a", "/b", "manager"]));
  });

  it("asks close to never when events work, and at once when one comes", async () => {
    const { watch, clock, driver } = await watching("/a");
    await clock.advance(minutes(2));
    watch.eventsWork(true);
    driver.asked.length = 0;
    await clock.advance(hours(1));
    expect(driver.asked.length).toBeLessThanOrEqual(6);
    driver.asked.length = 0;
    watch.notify("/a");
    await clock.advance(0);
    expect(driver.asked).toEqual(["/a"]);
  });

  it("takes a storm of events for a look per second", async () => {
    const { watch, clock, driver } = await watching("/a");
    await clock.advance(minutes(2));
    driver.asked.length = 0;
    for (let i = 0; i < 500; i++) {
      watch.notify("/a");
      await clock.advance(10);
    }
    expect(driver.asked.length).toBeGreaterThanOrEqual(3);
    expect(driver.asked.length).toBeLessThanOrEqual(6);
  });

  it("looks often while something is expected, and says when it came", async () => {
    const { watch, clock, driver, changes } = await watching("/a", "/b");
    await clock.advance(minutes(2));
    watch.expect("/b", minutes(5));
    driver.asked.length = 0;
    changes.length = 0;
    await clock.advance(seconds(20));
    expect(driver.asked.length).toBeGreaterThanOrEqual(8);
    expect(new Set(driver.asked)).toEqual(new Set(["/b"]));
    expect(changes).toEqual([]);
    driver.power["/b"] = "On";
    await clock.advance(seconds(5));
    expect(changes).toEqual([
      { server: "/b", parts: ["facts"] },
      { server: "/b", parts: ["power"] },
    ]);
    watch.settled("/b");
    await clock.advance(seconds(3));
    driver.asked.length = 0;
    await clock.advance(minutes(10));
    expect(driver.asked.length).toBeLessThanOrEqual(10);
  });

  it("does not believe a state that showed for a moment", async () => {
    const { watch, clock, driver, changes } = await watching("/a");
    await clock.advance(minutes(2));
    changes.length = 0;
    driver.moments.push("On");
    await clock.advance(minutes(3));
    expect(changes.filter(({ parts }) => parts.includes("power"))).toEqual([]);
    expect(serverIn(watch.snapshot, "/a")?.power?.value).toBe("Off");
  });

  it("keeps what it knew, with its age, when the BMC is gone", async () => {
    const { watch, clock, driver, changes } = await watching("/a");
    await clock.advance(minutes(2));
    const seen = serverIn(watch.snapshot, "/a")?.facts;
    changes.length = 0;
    driver.down = true;
    await clock.advance(minutes(30));
    expect(watch.snapshot.reachable?.value).toBe(false);
    expect(watch.snapshot.lastFailure?.code).toBe("Unreachable");
    expect(serverIn(watch.snapshot, "/a")?.facts.value).toEqual(seen?.value);
    expect(serverIn(watch.snapshot, "/a")?.facts.atMs).toBeLessThan(minutes(5));
    expect(changes).toEqual([{ parts: ["reachable"] }]);
    driver.down = false;
    await clock.advance(minutes(6));
    expect(watch.snapshot.reachable?.value).toBe(true);
    expect(watch.snapshot.lastFailure).toBeUndefined();
  });

  it("goes on trying to get to know a BMC that was gone at first", async () => {
    const clock = new VirtualClock();
    const driver = new ScriptedDriver("/a");
    driver.down = true;
    const watch = new HardwareWatch({ driver, clock, random: seededRandom(1) });
    watches.push(watch);
    watch.start();
    await clock.advance(minutes(20));
    expect(driver.asked.length).toBeLessThan(20);
    driver.down = false;
    await clock.advance(minutes(6));
    expect(serverIn(watch.snapshot, "/a")?.power?.value).toBe("Off");
  });

  it("stays away as long as it was told to", async () => {
    const { clock, driver } = await watching("/a");
    await clock.advance(minutes(2));
    driver.down = true;
    driver.retryAfterMs = minutes(30);
    await clock.advance(minutes(2));
    driver.asked.length = 0;
    await clock.advance(minutes(25));
    expect(driver.asked).toEqual([]);
  });

  it("leaves no timer behind", async () => {
    const { watch, clock } = await watching("/a");
    await watch.stop();
    expect(clock.pendingTimers).toBe(0);
  });
});
