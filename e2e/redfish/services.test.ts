import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { profileNames } from "#fleet";
import {
  ensureAccount,
  eventsOf,
  healthOf,
  makePassword,
  openEventStream,
  type RedfishEvent,
  readAccountService,
  readHttpsCertificates,
  readInventory,
  readLogs,
  readSensors,
  removeAccount,
  replaceCertificate,
  resetSystem,
  Survey,
  serialConsoles,
  subscribe,
  unsubscribe,
  verifySubscription,
} from "#redfish";
import { eventually, got, powerBecomes, type Rig, rigOf } from "./bench-rig.ts";

let rig: Rig;
let receiver: Server | undefined;
afterEach(async () => {
  await rig?.close();
  receiver?.closeAllConnections();
  receiver?.close();
  receiver = undefined;
});

/** A receiver of events on loopback: its address and what came. */
async function listen(): Promise<{ url: string; events: RedfishEvent[] }> {
  const events: RedfishEvent[] = [];
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      events.push(...eventsOf(JSON.parse(Buffer.concat(chunks).toString("utf8"))));
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver?.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alerts`, events };
}

const withoutEvents: readonly string[] = ["generic", "supermicro-x10"];
const withoutStream: readonly string[] = [...withoutEvents, "supermicro-x12"];

describe.each(profileNames)("%s", (profile) => {
  it("gets an account, has it changed, and loses it again", async () => {
    rig = await rigOf(profile);
    const { service, introduction } = rig;
    const accounts = got(await readAccountService(service, introduction.root.accountService));
    const password = makePassword(accounts.policy);
    const made = got(
      await ensureAccount(service, accounts, { userName: "metalwright", role: "Operator", password: () => password }),
    );
    expect(made).toMatchObject({ userName: "metalwright", role: "Operator", enabled: true });
    expect(made.id).not.toBe("1");
    const simulated = rig.fleet.control.bmcs[0]?.accounts;
    expect(simulated?.named("metalwright")?.password).toBe(password);
    const rotated = makePassword(accounts.policy);
    const wanted = { userName: "metalwright", role: "Administrator", password: () => rotated };
    expect(got(await ensureAccount(service, accounts, wanted))).toMatchObject({ id: made.id, role: "Administrator" });
    expect(simulated?.named("metalwright")?.password).toBe(rotated);
    const gone = { userName: "metalwright", id: made.id ?? "" };
    expect(got(await removeAccount(service, accounts, gone))).toEqual({ changed: true });
    expect(simulated?.named("metalwright")).toBeUndefined();
    expect(got(await removeAccount(service, accounts, gone))).toEqual({ changed: false });
  });

  it("delivers events to a subscription that is made once, found again, verified and removed", async () => {
    rig = await rigOf(profile);
    const { service, introduction } = rig;
    const { eventService } = introduction.root;
    const { url, events } = await listen();
    const wanted = { destination: url, format: "Event", context: "metalwright" } as const;
    const made = await subscribe(service, eventService, wanted);
    if (withoutEvents.includes(profile)) return expect(made).toMatchObject({ failure: { code: "NotSupported" } });
    const { path } = got(made);
    expect(got(await subscribe(service, eventService, wanted)).path.replace(/\/$/, "")).toBe(path.replace(/\/$/, ""));
    expect(got(await verifySubscription(service, path, wanted))).toBe(true);
    expect(got(await verifySubscription(service, path, { ...wanted, destination: "http://else/" }))).toBe(false);
    got(await resetSystem(service, await rig.readSystem(), "On"));
    await eventually(() => expect(events.length).toBeGreaterThan(0));
    expect(events[0]).toMatchObject({ messageId: expect.any(String), origin: expect.stringContaining("/redfish/v1/") });
    got(await unsubscribe(service, path));
    got(await unsubscribe(service, path));
    expect(got(await verifySubscription(service, path, wanted))).toBe(false);
    expect(rig.fleet.control.bmcs[0]?.subscriptions.list()).toEqual([]);
  });

  it("streams its events where it offers a stream", async () => {
    rig = await rigOf(profile);
    const opened = await openEventStream(rig.service, rig.introduction.root.eventService);
    if (withoutStream.includes(profile)) return expect(opened).toMatchObject({ failure: { code: "NotSupported" } });
    const stream = got(opened);
    const first = stream.events[Symbol.asyncIterator]().next();
    got(await resetSystem(rig.service, await rig.readSystem(), "On"));
    expect(await first).toMatchObject({ done: false, value: { messageId: expect.any(String) } });
    await stream.close();
  });

  it("shows temperatures, fans and power", async () => {
    rig = await rigOf(profile, { powered: "On" });
    await powerBecomes(rig, "On");
    const inventory = got(await readInventory(rig.service));
    const chassis = inventory.inventories[0]?.chassis[0];
    if (!chassis) throw new Error("no chassis");
    const readings = await readSensors(new Survey(rig.service), chassis);
    expect(readings.sensors.filter(({ kind }) => kind === "Temperature").length).toBeGreaterThan(1);
    expect(readings.sensors.filter(({ kind }) => kind === "Fan").length).toBeGreaterThan(1);
    expect(readings.consumedWatts).toBeGreaterThan(100);
    expect(readings.sensors.every(({ reading }) => typeof reading === "number")).toBe(true);
  });

  it("is well, and says which part is not when one fails", async () => {
    rig = await rigOf(profile);
    const look = async () => {
      const inventory = got(await readInventory(rig.service));
      const [machine] = inventory.inventories;
      const chassis = machine?.chassis[0];
      if (!machine || !chassis) throw new Error("no chassis");
      return healthOf(machine, await readSensors(new Survey(rig.service), chassis));
    };
    expect(await look()).toEqual({ overall: "OK", unwell: [] });
    rig.fleet.control.inject({ kind: "fan-failing" });
    rig.fleet.control.inject({ kind: "disk-failing", drive: 2 });
    const { overall, unwell } = await look();
    expect(overall).toBe("Critical");
    expect(unwell.map(({ component }) => component)).toEqual(expect.arrayContaining(["Fan", "Drive"]));
    expect(unwell.filter(({ component }) => component === "Drive")).toHaveLength(1);
  });

  it("has a log that can be read from a severity upwards", async () => {
    rig = await rigOf(profile);
    got(await resetSystem(rig.service, await rig.readSystem(), "On"));
    const logs = rig.introduction.managers[0]?.links.logServices;
    await eventually(async () => expect(await readLogs(new Survey(rig.service), logs)).not.toEqual([]));
    const all = await readLogs(new Survey(rig.service), logs);
    const critical = await readLogs(new Survey(rig.service), logs, { from: "Critical" });
    expect(critical.length).toBeLessThan(all.length);
    expect(critical.every(({ severity }) => severity === "Critical")).toBe(true);
  });

  it("says how to reach its serial console", async () => {
    rig = await rigOf(profile);
    const consoles = serialConsoles((await rig.readSystem()).body, (await rig.readManager()).body);
    expect(consoles.map(({ protocol }) => protocol)).toContain("SSH");
  });

  it("shows its certificate and takes another one", async () => {
    rig = await rigOf(profile);
    const { service, introduction } = rig;
    const found = await readHttpsCertificates(service, introduction.managers[0]?.links.networkProtocol);
    const { certificateService } = introduction.root;
    const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    if (profile === "supermicro-x10") return expect(found).toMatchObject({ ok: false });
    const [certificate] = got(found);
    expect(certificate?.notAfter).toMatch(/^20\d\d-/);
    const replaced = await replaceCertificate(service, certificateService, {
      certificate: certificate?.path ?? "",
      pem,
    });
    expect(replaced.ok).toBe(true);
  });
});
