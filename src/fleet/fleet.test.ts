import { afterEach, describe, expect, it } from "vitest";
import { type Fleet, startFleet } from "./fleet.ts";
import type { FleetOptions } from "./options.ts";
import { profileNames } from "./profiles/profile.ts";
import { clientOf, crawl } from "./testing/redfish.ts";

const fleets: Fleet[] = [];
afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.close();
});

async function start(options: Partial<FleetOptions> = {}): Promise<Fleet> {
  const fleet = await startFleet({ servers: 1, profile: "openbmc", ...options });
  fleets.push(fleet);
  return fleet;
}

describe("a tree", () => {
  it.each(profileNames)("of %s resolves everywhere", async (profile) => {
    const fleet = await start({ profile });
    const [bmc] = fleet.bmcs;
    if (!bmc) throw new Error("no BMC");
    const seen = await crawl(clientOf(bmc));
    const broken = [...seen]
      .filter(([, { status }]) => status !== 200)
      .map(([path, { status }]) => `${status} ${path}`);
    expect(broken).toEqual([]);
    expect(seen.size).toBeGreaterThan(100);
  });
});
