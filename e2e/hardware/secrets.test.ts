/** No password and no session token leaves the process by any way but the request it is for. */
import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { type Fault, type ProfileName, profileNames } from "#fleet";
import { hardwareMetrics } from "#hardware";
import { cleanUpAfterEach, fleetOf, lanesOf, until } from "./fixture.ts";
import { asked, hardwareOf } from "./watched.ts";

cleanUpAfterEach();

const faults: readonly Fault[] = [
  { kind: "unauthorized", times: 2 },
  { kind: "html", times: 2 },
  { kind: "truncated-json", times: 2 },
  { kind: "connection-reset", times: 2 },
  { kind: "sessions-full" },
];

describe("passwords", () => {
  it.each(profileNames)(
    "of %s appear in no failure, condition, metric, detail or audit record",
    async (profile: ProfileName) => {
      const password = "Xq9-findme-77!";
      const fleet = await fleetOf({ servers: faults.length + 1, profile, password });
      const registry = new Registry();
      const lanes = lanesOf({ metrics: hardwareMetrics(registry) });
      const { attach, lines } = hardwareOf(lanes);
      for (const [at, fault] of faults.entries()) fleet.control.inject(fault, at);
      const attached = fleet.bmcs.map((bmc) => attach(bmc));
      await until(
        () => attached.every(({ snapshot }) => snapshot.reachable !== undefined),
        "one answer or failure each",
      );
      const tokens = fleet.control.bmcs.flatMap((bmc) => (bmc.profile.sessions ? bmc.sessions.list() : []));
      const said: unknown[] = [];
      for (const [at, bmc] of attached.entries()) {
        const server = fleet.bmcs[at]?.systems[0]?.path ?? "";
        const intent = async () => ({ nonce: `${profile}-${at}` });
        said.push(await bmc.perform({ ...asked, intent, action: { kind: "Reset", server, type: "On" } }));
        said.push(bmc.conditions, bmc.snapshot.lastFailure, bmc.detail());
      }
      const everything = JSON.stringify(said) + lines.join() + (await registry.metrics());
      expect(lines.length).toBeGreaterThan(faults.length);
      expect(everything).toContain("metalwright_bmc_requests_total");
      expect(everything).not.toContain(password);
      expect(everything).not.toContain(Buffer.from(`:${password}`).toString("base64").slice(0, 12));
      for (const { token } of tokens) expect(everything).not.toContain(token);
    },
  );

  it("label no metric with a BMC", async () => {
    const fleet = await fleetOf({ servers: 3 });
    const registry = new Registry();
    const lanes = lanesOf({ metrics: hardwareMetrics(registry) });
    const { attach, hardware } = hardwareOf(lanes);
    const attached = fleet.bmcs.map((bmc) => attach(bmc));
    await until(() => attached.every(({ snapshot }) => snapshot.servers.length === 1), "introduced");
    const text = await registry.metrics();
    expect(text).toContain('metalwright_bmc_lanes{breaker="closed"} 3');
    expect(text).toContain('metalwright_bmc_sessions{mode="token"} 3');
    for (const { host } of fleet.bmcs) expect(text).not.toContain(host);
    expect(lanes.details().map(({ key }) => key)).toEqual(fleet.bmcs.map(({ address }) => address));
    await hardware.close();
    const after = await registry.metrics();
    expect(after).toContain('metalwright_bmc_lanes{breaker="closed"} 0');
    expect(after).toContain('metalwright_bmc_sessions{mode="token"} 0');
  });
});
