/** Our IPMI path against OpenIPMI's simulator, through the real ipmitool. */
import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom, systemClock } from "#clock";
import { AuditLog, Hardware, ipmiAddress, serverIn } from "#hardware";
import { atTheEnd, cleanUpAfterEach, lanesOf, until } from "./fixture.ts";
import { ipmiPackages, isInstalled, startIpmiSimulator } from "./ipmi-simulator.ts";

beforeAll(() => {
  if (isInstalled()) return;
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...ipmiPackages], { stdio: "ignore" });
  if (!isInstalled())
    throw new Error(`this suite needs ${ipmiPackages.join(" and ")}: apt-get install ${ipmiPackages.join(" ")}`);
});

cleanUpAfterEach();

async function attached(password?: string) {
  const simulator = await startIpmiSimulator();
  atTheEnd(() => simulator.close());
  const lines: string[] = [];
  const sink = { append: async (line: string) => void lines.push(line), close: async () => undefined };
  const audit = new AuditLog({ clock: systemClock, sink });
  const hardware = new Hardware({ clock: systemClock, random: seededRandom(1), lanes: lanesOf(), audit });
  atTheEnd(() => hardware.close());
  const bmc = hardware.attach({
    holder: "BMC/old",
    address: ipmiAddress("127.0.0.1", simulator.port, 3),
    credentials: { username: simulator.username, password: () => password ?? simulator.password },
  });
  return { simulator, bmc, lines };
}

const asked = { by: "test", why: "it is tested", object: { kind: "Server", name: "old" } };
let nonces = 0;
const intent = async () => ({ nonce: String(++nonces) });

describe("ipmitool and ipmi_sim", () => {
  it("are watched, switched and booted like any other BMC", async () => {
    const { simulator, bmc, lines } = await attached();
    const power = () => serverIn(bmc.snapshot, "chassis")?.power?.value;
    await until(() => power() === "Off", "power seen off twice", 30_000);
    expect(serverIn(bmc.snapshot, "chassis")?.facts.value).toMatchObject({
      manufacturer: "Acme S",
      serialNumber: "SN12",
    });
    expect(bmc.snapshot.manager?.value.firmwareVersion).toBe("9.08");

    const override = { target: "Pxe", lasts: "Once" } as const;
    const boot = await bmc.perform({ ...asked, action: { kind: "SetBootOverride", server: "chassis", override } });
    expect(boot).toMatchObject({ ok: true });
    expect(await simulator.state("boot")).toBe("pxe");
    const on = await bmc.perform({ ...asked, intent, action: { kind: "Reset", server: "chassis", type: "On" } });
    expect(on).toMatchObject({ value: { sent: true } });
    await until(() => power() === "On", "power seen on twice", 30_000);
    expect(await simulator.state("power")).toBe("1");
    expect(lines.map((line) => JSON.parse(line).phase)).toEqual(["begin", "end", "begin", "end"]);
    expect(lines.join()).not.toContain(simulator.password);
  });

  it("refuse a wrong password, and are not asked again", async () => {
    const { bmc } = await attached("Wrong-word-1");
    await until(() => bmc.conditions.length > 0, "a condition", 30_000);
    expect(bmc.conditions).toMatchObject([{ type: "CredentialsRefused" }]);
    const { sent } = bmc.detail();
    expect(await bmc.refresh("chassis")).toMatchObject({ failure: { code: "Unauthorized" } });
    expect(bmc.detail().sent).toBe(sent);
  });
});
