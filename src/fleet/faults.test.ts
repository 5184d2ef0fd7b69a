import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { type Fleet, startFleet } from "./fleet.ts";
import { type Call, clientOf, type Received } from "./testing/redfish.ts";

let clock: VirtualClock;
let fleet: Fleet;
let call: Call;
let neighbour: Call;

beforeEach(async () => {
  clock = new VirtualClock();
  fleet = await startFleet({ servers: 2, profile: "openbmc", clock });
  const [first, second] = fleet.bmcs;
  if (!first || !second) throw new Error("no BMC");
  call = clientOf(first);
  neighbour = clientOf(second);
});
afterEach(() => fleet.close());

const get = (): Promise<Received> => call("GET", "/redfish/v1/Systems");

/** Whether a promise has settled once everything that can happen without time has happened. */
async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  let answered = false;
  const mark = (): void => {
    answered = true;
  };
  answer.then(mark, mark);
  for (let round = 0; round < 200 && !answered; round++) await new Promise((resolve) => setImmediate(resolve));
  return answered;
}

describe("on the wire", () => {
  it.each([
    [{ kind: "unauthorized" }, 401],
    [{ kind: "unavailable" }, 503],
    [{ kind: "throttled", retryAfterSeconds: 7 }, 429],
  ] as const)("%j answers %i, and only there", async (fault, status) => {
    fleet.control.inject(fault, 0);
    const answer = await get();
    expect(answer.status).toBe(status);
    expect(answer.text).toContain("@Message.ExtendedInfo");
    expect((await neighbour("GET", "/redfish/v1/Systems")).status).toBe(200);
    fleet.control.clear();
    expect((await get()).status).toBe(200);
  });

  it("says when to come back", async () => {
    fleet.control.inject({ kind: "throttled", retryAfterSeconds: 7 });
    expect((await get()).headers["retry-after"]).toBe("7");
  });

  it("answers HTML, and half of what it wanted to say", async () => {
    const html = fleet.control.inject({ kind: "html" });
    expect(await get()).toMatchObject({ status: 200, headers: { "content-type": "text/html" } });
    fleet.control.clear(html.id);
    fleet.control.inject({ kind: "truncated-json" });
    await expect(get()).rejects.toThrow();
  });

  it("resets connections", async () => {
    fleet.control.inject({ kind: "connection-reset" });
    await expect(get()).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
  });

  it("swallows requests", async () => {
    fleet.control.inject({ kind: "black-hole" }, 0);
    const lost = get();
    expect(await isAnswered(lost)).toBe(false);
    expect((await neighbour("GET", "/redfish/v1/Systems")).status).toBe(200);
    await fleet.close();
    await expect(lost).rejects.toThrow();
  });

  it("is slow, as long as it was told", async () => {
    fleet.control.inject({ kind: "latency", ms: 30_000 }, 0);
    const slow = get();
    expect(await isAnswered(slow)).toBe(false);
    await clock.advance(29_999);
    expect(await isAnswered(slow)).toBe(false);
    await clock.advance(1);
    expect((await slow).status).toBe(200);
  });

  it("hits only the paths, methods and number of times it names", async () => {
    fleet.control.inject({ kind: "unavailable", path: "Managers", method: "GET", times: 2 });
    expect((await get()).status).toBe(200);
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await call("GET", "/redfish/v1/Managers")).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it("hits its share of requests", async () => {
    fleet.control.inject({ kind: "unavailable", share: 0.5 }, 0);
    const statuses: number[] = [];
    for (let n = 0; n < 60; n++) statuses.push((await get()).status);
    const hit = statuses.filter((status) => status === 503).length;
    expect(hit).toBeGreaterThan(15);
    expect(hit).toBeLessThan(45);
  });

  it("takes every session slot", async () => {
    fleet.control.inject({ kind: "sessions-full" });
    const [bmc] = fleet.bmcs;
    const body = { UserName: bmc?.username, Password: bmc?.password };
    const refused = await call("POST", "/redfish/v1/SessionService/Sessions", { body, anonymous: true });
    expect([refused.status, refused.text.includes("SessionLimitExceeded")]).toEqual([503, true]);
  });

  it("restarts the BMC: connections drop, sessions are gone, then it is back", async () => {
    const [bmc] = fleet.bmcs;
    const body = { UserName: bmc?.username, Password: bmc?.password };
    const opened = await call("POST", "/redfish/v1/SessionService/Sessions", { body, anonymous: true });
    fleet.control.inject({ kind: "bmc-rebooting" }, 0);
    await expect(get()).rejects.toThrow();
    await clock.advance(90_000);
    expect((await get()).status).toBe(200);
    const token = { "x-auth-token": opened.headers["x-auth-token"] ?? "" };
    expect((await call("GET", "/redfish/v1/Systems", { anonymous: true, headers: token })).status).toBe(401);
  });
});

describe("on identity", () => {
  const identity = async (who: Call) => {
    const { UUID: uuid, SerialNumber: serial } = (await who("GET", "/redfish/v1/Systems/system")).body;
    const { MACAddress: mac } = (await who("GET", "/redfish/v1/Systems/system/EthernetInterfaces/eth0")).body;
    return { uuid, serial, mac };
  };

  it("makes UUIDs collide", async () => {
    expect((await identity(call)).uuid).not.toBe((await identity(neighbour)).uuid);
    fleet.control.inject({ kind: "duplicate-uuid" });
    expect((await identity(call)).uuid).toBe((await identity(neighbour)).uuid);
  });

  it("swaps the board: other MAC and serial number, same UUID", async () => {
    const before = await identity(call);
    fleet.control.inject({ kind: "board-swap" }, 0);
    const after = await identity(call);
    expect(after.mac).not.toBe(before.mac);
    expect(after.serial).not.toBe(before.serial);
    expect(after.uuid).toBe(before.uuid);
  });
});

describe("by script", () => {
  it("happens when and as long as the script says", async () => {
    fleet.control.run([{ atMs: 10_000, forMs: 5_000, on: "0", fault: { kind: "unavailable" } }]);
    const seen: number[] = [];
    for (let second = 0; second < 4; second++) {
      seen.push((await get()).status);
      await clock.advance(5_000);
    }
    expect(seen).toEqual([200, 200, 503, 200]);
  });
});

describe("over the control API", () => {
  const control = async (
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: unknown,
    token = fleet.control.token,
  ) => {
    const { request } = await import("undici");
    const answer = await request(fleet.control.url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };

  it("needs the token", async () => {
    expect((await control("GET", "", undefined, "wrong")).status).toBe(401);
    expect((await control("GET", "")).status).toBe(200);
  });

  it("puts faults in and takes them out", async () => {
    const made = await control("POST", "/faults", { fault: "unavailable", on: "0" });
    expect(made.status).toBe(201);
    expect((await get()).status).toBe(503);
    expect((await control("GET", "/status")).text).toContain("! unavailable");
    const { id } = JSON.parse(made.text) as { id: string };
    expect((await control("DELETE", `/faults/${id}`)).status).toBe(200);
    expect((await get()).status).toBe(200);
  });

  it("refuses a bad fault in full", async () => {
    const refused = await control("POST", "/faults", { fault: "gremlins", on: "everyone!", ms: "long" });
    expect(refused.status).toBe(400);
    for (const word of ["fault", '"on"', '"ms"']) expect(refused.text).toContain(word.replaceAll('"', '\\"'));
  });

  it("shows the machines behind a BMC", async () => {
    fleet.control.bmcs[0]?.hosts[0]?.disks.write(3, { bytes: "tenant", bootable: false });
    const { text } = await control("GET", "/bmcs/0");
    expect(JSON.parse(text)).toMatchObject({ machines: [{ power: "Off", disks: { 3: "tenant" } }] });
    expect((await control("GET", "/bmcs/99")).status).toBe(404);
  });
});
