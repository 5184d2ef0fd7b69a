import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#clock";
import { type Fleet, type SimulatedBmc, startFleet } from "#fleet";
import { type RedfishClient, readInventory, redfishClient, type Trust } from "#redfish";
import { addressOf } from "./counted-client.ts";

let fleet: Fleet;
const clients: RedfishClient[] = [];
beforeAll(async () => {
  fleet = await startFleet({ servers: 2, profile: "hpe-ilo6", seed: 5, addressing: "port", tls: true });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  fleet.control.clear();
});
afterAll(() => fleet.close());

function bmc(at = 0): SimulatedBmc {
  const found = fleet.bmcs[at];
  if (!found) throw new Error("no BMC");
  return found;
}

function trusting(trust: Trust, target = bmc()): RedfishClient {
  const client = redfishClient({
    address: addressOf(target),
    credentials: { username: target.username, password: () => target.password },
    clock: systemClock,
    tls: { trust },
  });
  clients.push(client);
  return client;
}

function fingerprintOf(target: SimulatedBmc): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: target.host, port: target.port, rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw).fingerprint256);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

const untrusted = { ok: false, failure: { code: "Untrusted" } };

describe("the certificate of a BMC", () => {
  it("is good by its authority, for a whole inventory", async () => {
    const client = trusting({ mode: "authority", ca: fleet.certificateAuthority ?? "" });
    expect(await readInventory(client.service)).toMatchObject({ ok: true, value: { problems: [] } });
  });

  it("is not good by the authorities of the system", async () => {
    expect(await trusting({ mode: "authority" }).service.root()).toMatchObject(untrusted);
  });

  it("is good when it is the pinned one, in any spelling, and not when it is another's", async () => {
    const fingerprint = await fingerprintOf(bmc());
    for (const spelled of [fingerprint, fingerprint.replaceAll(":", "").toLowerCase()])
      expect((await trusting({ mode: "pinned", fingerprint: spelled }).service.root()).ok).toBe(true);
    expect(await trusting({ mode: "pinned", fingerprint }, bmc(1)).service.root()).toMatchObject(untrusted);
  });

  it("is recorded at first use, and another one later is an alarm that names both", async () => {
    const seen: string[] = [];
    const first = trusting({ mode: "firstUse", onFirstUse: (fingerprint) => seen.push(fingerprint) });
    expect((await first.service.root()).ok).toBe(true);
    expect(new Set(seen)).toEqual(new Set([await fingerprintOf(bmc())]));
    const recorded = seen[0] ?? "";
    const later: Trust = { mode: "firstUse", recorded, onFirstUse: () => seen.push("again") };
    expect((await trusting(later).service.root()).ok).toBe(true);
    const changed = await trusting(later, bmc(1)).service.root();
    expect(changed).toMatchObject(untrusted);
    expect(changed.ok || changed.failure.message).toContain(recorded);
    expect(seen).not.toContain("again");
  });

  it("past its date is refused by authority", async () => {
    fleet.control.inject({ kind: "tls-expired" }, 1);
    const ca = fleet.certificateAuthority ?? "";
    expect(await trusting({ mode: "authority", ca }, bmc(1)).service.root()).toMatchObject(untrusted);
  });

  it("that is not trusted gets no login: not one session is opened", async () => {
    const before = fleet.control.bmcs[1]?.sessions.list().length;
    await readInventory(trusting({ mode: "pinned", fingerprint: "00" }, bmc(1)).service);
    expect(fleet.control.bmcs[1]?.sessions.list().length).toBe(before);
  });
});
