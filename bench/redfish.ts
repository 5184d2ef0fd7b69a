/** Requests and time for one complete inventory, vendor by vendor, against BMCs as slow as the real ones. */
import { systemClock } from "#clock";
import { type ProfileName, profileNames, type SimulatedBmc, startFleet } from "#fleet";
import { bmcAddress, type Inventory, readInventory, redfishClient } from "#redfish";
import type { Bench } from "./report.ts";

export const redfish: Bench = {
  name: "redfish: requests for one complete inventory",
  async run(report) {
    // Side by side: each waits for its own BMC, and the slowest takes half a minute.
    const figures = await Promise.all(profileNames.map(measureProfile));
    for (const figure of figures) {
      report.row("One complete inventory at the vendor's own latency", figure);
      report.target(`${figure.profile}: requests over budget`, figure.requests / figure.budget, { atMost: 1 });
    }
  },
};

type Figure = Record<string, string | number> & { profile: string; requests: number; budget: number };

async function measureProfile(profile: ProfileName): Promise<Figure> {
  const fleet = await startFleet({ servers: 1, profile, seed: 7, addressing: "port", latency: "realistic" });
  try {
    const [bmc] = fleet.bmcs;
    if (!bmc) throw new Error(`the fleet of ${profile} has no BMC`);
    return await measureOne(profile, bmc);
  } finally {
    await fleet.close();
  }
}

async function measureOne(profile: string, bmc: SimulatedBmc): Promise<Figure> {
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
  return {
    profile,
    expand: expands ? "yes" : "no",
    members,
    requests: paths.length,
    budget,
    "asked twice": paths.length - new Set(paths.map((path) => path.replace(/\?.*$/, ""))).size,
    ms: Math.round(ms),
  };
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
