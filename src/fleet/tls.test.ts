import { Agent, request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fleet, startFleet } from "./fleet.ts";

let fleet: Fleet;
let agent: Agent;

beforeEach(async () => {
  fleet = await startFleet({ servers: 3, profile: "openbmc", tls: true });
  agent = new Agent({ connect: { ca: fleet.certificateAuthority ?? "" } });
});
afterEach(async () => {
  await agent.close();
  await fleet.close();
});

async function root(index: number, dispatcher: Agent = agent): Promise<number> {
  const { statusCode, body } = await request(`${fleet.bmcs[index]?.address}/redfish/v1`, { dispatcher });
  await body.dump();
  return statusCode;
}

describe("HTTPS", () => {
  it("has for every BMC a certificate that the fleet's authority signed for its address", async () => {
    expect(fleet.bmcs[0]?.address).toMatch(/^https:/);
    expect(await Promise.all([root(0), root(1), root(2)])).toEqual([200, 200, 200]);
  });

  it("is not trusted without the authority", async () => {
    const stranger = new Agent();
    await expect(root(0, stranger)).rejects.toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
    await stranger.close();
  });

  it("shows an expired certificate while the fault lasts", async () => {
    fleet.control.inject({ kind: "tls-expired" }, 1);
    await expect(root(1)).rejects.toMatchObject({ code: "CERT_HAS_EXPIRED" });
    expect(await root(0)).toBe(200);
    fleet.control.clear();
    expect(await root(1)).toBe(200);
  });

  it("survives clients that talk nonsense", async () => {
    const [bmc] = fleet.bmcs;
    await expect(request(`http://${bmc?.host}:${bmc?.port}/redfish/v1`)).rejects.toThrow();
    expect(await root(0)).toBe(200);
  });
});
