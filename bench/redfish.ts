/** Requests and time for one complete inventory, vendor by vendor, against BMCs as slow as the real ones. */
import { systemClock } from "#clock";
import { profileNames, type SimulatedBmc, startFleet } from "#fleet";
import { bmcAddress, type Inventory, readInventory, redfishClient } from "#redfish";
import type { Bench, Report } from "./report.ts";

export const redfish: Bench = {
  name: "redfish: requests for one complete inventory",
  async run(report) {
    for (const profile of profileNames) {
      const fleet = await startFleet({ servers: 1, profile, seed: 7, addressing: "port", latency: "realistic" });
      const [bmc] = fleet.bmcs;
      if (bmc) await measureOne(report, profile, bmc);
      await fleet.close();
    }
  },
};

async function measureOne(report: Report, profile: string, bmc: SimulatedBmc): Promise<void> {
  const { hostname, port } = new URL(bmc.address);
  const client = redfishClient({
    address: bmcAddress("http", hostname, Number(port)),
    credentials: { username: bmc.username, password: () => bmc.password },
    clock: systemClock,
  });
  const paths: string[] = [];
  const send = client.connection.send.bind(client.connection);
  client.connection.send = (request) => {
    if (request.method === "GET") paths.push(request.path);
    return send(request);
  };
  const started = performance.now();
  const outcome = await readInventory(client.service);
  const ms = performance.now() - started;
  await client.close();
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const members = membersOf(outcome.value);
  const expands = paths.some((path) => path.includes("$expand"));
  const budget = expands ? 12 : members + 8;
  report.row("One complete inventory at the vendor's own latency", {
    profile,
    expand: expands ? "yes" : "no",
    members,
    requests: paths.length,
    budget,
    "asked twice": paths.length - new Set(paths.map((path) => path.replace(/\?.*$/, ""))).size,
    ms: Math.round(ms),
  });
  report.target(`${profile}: requests over budget`, paths.length / budget, { atMost: 1 });
}

/** Everything with an address of its own. */
function membersOf({ inventories, managers, firmware }: Inventory): number {
  const systems = inventories.map(
    ({ processors, gpus, memory, storage, networkInterfaces, chassis }) =>
      1 +
      [processors, gpus, memory, storage, networkInterfaces, chassis].reduce((sum, { length }) => sum + length, 0) +
      storage.reduce((sum, { drives, volumes }) => sum + drives.length + volumes.length, 0),
  );
  return systems.reduce((sum, one) => sum + one, managers.length + firmware.length);
}
