import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { request } from "undici";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Fleet, startFleet } from "./fleet.ts";
import type { JsonObject } from "./json.ts";
import type { ProfileName } from "./profiles/profile.ts";
import { basic, type Call, clientOf } from "./testing/redfish.ts";

let fleet: Fleet;
let call: Call;
let receiver: Server;
let url: string;
let status = 200;
let received: JsonObject[] = [];

async function use(profile: ProfileName): Promise<void> {
  await fleet?.close();
  fleet = await startFleet({ servers: 1, profile, speed: 1000 });
  const [bmc] = fleet.bmcs;
  if (!bmc) throw new Error("no BMC");
  call = clientOf(bmc);
}

beforeEach(async () => {
  status = 200;
  received = [];
  receiver = createServer((incoming, answer) => {
    let text = "";
    incoming.on("data", (chunk) => (text += String(chunk)));
    incoming.on("end", () => {
      received.push(JSON.parse(text) as JsonObject);
      answer.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alerts`;
  await use("openbmc");
});
afterEach(async () => {
  await fleet.close();
  await new Promise((resolve) => receiver.close(resolve));
});

/** These machines and their network are real time; a loaded computer may need a while. */
const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 15_000, interval: 20 });

const subscriptions = "/redfish/v1/EventService/Subscriptions";
const subscribe = (more: JsonObject = {}) =>
  call("POST", subscriptions, {
    body: { Destination: url, Protocol: "Redfish", EventFormatType: "Event", Context: "ours", ...more },
  });
const firstEvent = () => (received[0]?.Events as JsonObject[] | undefined)?.[0];

describe("a subscription", () => {
  it("is told when power changes", async () => {
    expect((await subscribe()).status).toBe(201);
    fleet.control.bmcs[0]?.hosts[0]?.reset("On");
    await eventually(() => expect(received.length).toBeGreaterThan(0));
    expect(received[0]?.Context).toBe("ours");
    expect(firstEvent()).toMatchObject({
      MessageId: "ResourceEvent.1.0.PoweredOn",
      OriginOfCondition: { "@odata.id": "/redfish/v1/Systems/system" },
    });
  });

  it("of Dell hears the origin as text, and HPE knows no retry policy", async () => {
    await use("dell-idrac9");
    await subscribe();
    await call("POST", "/redfish/v1/EventService/Actions/EventService.SubmitTestEvent", {
      body: { MessageId: "Test.1.0.Hello" },
    });
    await eventually(() => expect(firstEvent()?.OriginOfCondition).toBeTypeOf("string"));
    await use("hpe-ilo5");
    expect((await subscribe({ DeliveryRetryPolicy: "TerminateAfterRetries" })).status).toBe(400);
    expect((await subscribe()).status).toBe(201);
  });

  it("is told when a task ends, and how", async () => {
    await subscribe();
    fleet.control.inject({ kind: "task-fails" });
    await call("POST", "/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate", {
      body: { ImageURI: "http://127.0.0.1/bios-1.1.bin" },
    });
    await eventually(() =>
      expect(firstEvent()).toMatchObject({ MessageId: "TaskEvent.1.0.TaskAborted", Severity: "Critical" }),
    );
  });

  it("to metric reports gets every sensor, again and again, and no alerts", async () => {
    await subscribe({ EventFormatType: "MetricReport" });
    await eventually(() => expect(received.length).toBeGreaterThan(1));
    const values = received[0]?.MetricValues as JsonObject[];
    expect(values.length).toBe(11);
    expect(values.every(({ MetricValue: value }) => typeof value === "string" && Number(value) >= 0)).toBe(true);
    expect(received.every(({ Events: events }) => events === undefined)).toBe(true);
  });

  it("exists once per destination and ends when deleted", async () => {
    const made = await subscribe();
    expect((await subscribe()).text).toContain("ResourceAlreadyExists");
    expect((await call("DELETE", made.headers.location ?? "")).status).toBe(204);
    fleet.control.bmcs[0]?.announce({ messageId: "x", message: "x", severity: "OK" });
    expect((await subscribe()).status).toBe(201);
    fleet.control.bmcs[0]?.announce({ messageId: "y", message: "y", severity: "OK" });
    await eventually(() => expect(firstEvent()?.MessageId).toBe("y"));
  });

  it("is dropped after a destination refused three times", async () => {
    status = 500;
    await subscribe({ DeliveryRetryPolicy: "TerminateAfterRetries" });
    fleet.control.bmcs[0]?.announce({ messageId: "x", message: "x", severity: "OK" });
    await eventually(() => expect(received.length).toBe(3));
    await eventually(async () => expect((await call("GET", subscriptions)).body["Members@odata.count"]).toBe(0));
  });

  it("is stormed when a fault says so, and silence returns with its end", async () => {
    await subscribe();
    const storm = fleet.control.inject({ kind: "event-storm", perSecond: 500 });
    await eventually(() => expect(received.length).toBeGreaterThan(20));
    fleet.control.clear(storm.id);
    const log = fleet.control.bmcs[0]?.log;
    const last = log?.list().at(-1)?.id;
    await eventually(() => expect(received.length).toBe(Number(last)));
  });
});

describe("the event stream", () => {
  it("carries the same events", async () => {
    const [bmc] = fleet.bmcs;
    const { body, headers } = await request(`${bmc?.address}/redfish/v1/EventService/SSE`, {
      headers: { authorization: basic(bmc?.username ?? "", bmc?.password ?? "") },
    });
    expect(headers["content-type"]).toContain("text/event-stream");
    let text = "";
    body.on("data", (chunk) => (text += String(chunk)));
    body.on("error", () => undefined);
    await eventually(() => expect(text).toContain("open"));
    fleet.control.bmcs[0]?.announce({ messageId: "Hello.1.0", message: "hello", severity: "Warning" });
    await eventually(() => expect(text).toContain('"MessageId":"Hello.1.0"'));
  });

  it("is not offered by Supermicro, and a generic service has no events at all", async () => {
    await use("supermicro-x12");
    expect((await call("GET", "/redfish/v1/EventService")).body.ServerSentEventUri).toBeUndefined();
    expect((await call("GET", "/redfish/v1/EventService/SSE")).status).toBe(404);
    await use("generic");
    expect((await call("GET", "/redfish/v1/EventService")).status).toBe(404);
  });
});
