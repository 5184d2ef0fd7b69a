/** Other people's software agrees: sushy and redfishtool drive every profile of the fleet. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Fleet, profileNames, type SimulatedBmc, startFleet } from "#fleet";
import { installPeers, type Peers } from "./install.ts";

const run = promisify(execFile);
const PEER_DEADLINE_MS = 60_000;
const SPEED = 100;

/** An attribute of each profile that can be switched off; none where firmware has no BIOS attributes. */
const attributes: Readonly<Record<string, string>> = {
  "dell-idrac9": "LogicalProc",
  "hpe-ilo5": "ProcHyperthreading",
  "hpe-ilo6": "ProcHyperthreading",
  "lenovo-xcc": "Processors_HyperThreading",
  "supermicro-x10": "Hyper_Threading_ALL_0042",
  "supermicro-x12": "Hyper_Threading_ALL_0042",
  generic: "ProcHyperthreading",
};

let peers: Peers;
let fleet: Fleet | undefined;

beforeAll(async () => {
  peers = await installPeers();
}, 300_000);
afterEach(async () => {
  await fleet?.close();
  fleet = undefined;
});

async function start(profile: (typeof profileNames)[number], tls: boolean): Promise<SimulatedBmc> {
  fleet = await startFleet({ servers: 1, profile, speed: SPEED, tls });
  const [bmc] = fleet.bmcs;
  if (!bmc) throw new Error("no BMC");
  return bmc;
}

const ways = profileNames.flatMap((profile) =>
  (profile === "generic" ? ["basic"] : ["basic", "session"]).map((how) => [profile, how] as const),
);

describe("sushy", () => {
  it.each(ways)("drives %s with %s authentication", async (profile, how) => {
    const bmc = await start(profile, false);
    const attribute = attributes[profile] ?? "";
    const script = join(import.meta.dirname, "drive.py");
    const { stdout } = await run(peers.python, [script, bmc.address, bmc.username, bmc.password, how, attribute], {
      timeout: PEER_DEADLINE_MS,
    });
    expect(JSON.parse(stdout)).toEqual({
      uuid: bmc.systems[0]?.uuid,
      cpus: 2,
      disks: 8,
      off: true,
      on: true,
      boot: ["Pxe", "Once"],
      ...(attribute ? { pending: "Disabled" } : {}),
      inserted: [true, "http://127.0.0.1/boot.iso"],
      ejected: true,
      "off again": true,
    });
    expect(fleet?.control.bmcs[0]?.openSessions).toBe(0);
  });
});

describe("redfishtool", () => {
  /** It insists on HTTPS as soon as it sends credentials. */
  it.each(ways)("drives %s with %s authentication", async (profile, how) => {
    const bmc = await start(profile, true);
    const common = [
      "-r",
      `${bmc.host}:${bmc.port}`,
      "-u",
      bmc.username,
      "-p",
      bmc.password,
      "-A",
      how === "basic" ? "Basic" : "Session",
      "-S",
      "Always",
    ];
    const tool = async (...args: readonly string[]): Promise<string> =>
      (await run(peers.redfishtool, [...common, ...args], { timeout: PEER_DEADLINE_MS })).stdout;
    const host = fleet?.control.bmcs[0]?.hosts[0];
    expect(JSON.parse(await tool("Systems", "-F", "get"))).toMatchObject({ UUID: bmc.systems[0]?.uuid });
    // It sends a weak tag back as it came, which Lenovo's firmware refuses; there it is told to match anything.
    const anyTag = profile === "lenovo-xcc" ? ["-H", '{"If-Match":"*"}'] : [];
    if (profile === "lenovo-xcc")
      await expect(tool("Systems", "-F", "setBootOverride", "Once", "Pxe")).rejects.toThrow("412");
    await tool("Systems", "-F", ...anyTag, "setBootOverride", "Once", "Pxe");
    expect(host?.override).toMatchObject({ enabled: "Once", target: "Pxe" });
    const attribute = attributes[profile];
    if (attribute) {
      const bios = JSON.parse(await tool("raw", "GET", `${host?.path}/Bios`)) as {
        "@Redfish.Settings": { SettingsObject: { "@odata.id": string } };
      };
      const body = JSON.stringify({ Attributes: { [attribute]: "Disabled" } });
      await tool("raw", "PATCH", bios["@Redfish.Settings"].SettingsObject["@odata.id"], ...anyTag, "-d", body);
      expect(host?.settings.pending()).toEqual({ [attribute]: "Disabled" });
    }
    const media = await mediaPath(tool, host?.path ?? "");
    await tool(
      "raw",
      "POST",
      `${media}/Actions/VirtualMedia.InsertMedia`,
      "-d",
      '{"Image":"http://127.0.0.1/boot.iso"}',
    );
    expect([...(host?.media?.values() ?? [])]).toEqual([{ image: "http://127.0.0.1/boot.iso", writeProtected: true }]);
    await tool("Systems", "-F", "reset", "On");
    expect(["PoweringOn", "On"]).toContain(host?.power);
    expect(fleet?.control.bmcs[0]?.openSessions).toBe(0);
  });
});

interface Collection {
  readonly Members: readonly { readonly "@odata.id": string }[];
}

async function mediaPath(tool: (...args: readonly string[]) => Promise<string>, system: string): Promise<string> {
  const managers = JSON.parse(await tool("raw", "GET", "/redfish/v1/Managers")) as Collection;
  const owners = [...managers.Members.map((member) => member["@odata.id"]), system];
  for (const owner of owners) {
    const found = JSON.parse(await tool("raw", "GET", owner)) as { VirtualMedia?: { "@odata.id": string } };
    if (!found.VirtualMedia) continue;
    const { Members: members } = JSON.parse(await tool("raw", "GET", found.VirtualMedia["@odata.id"])) as Collection;
    return (members[0]?.["@odata.id"] ?? "").replace(/\/$/, "");
  }
  throw new Error("no virtual media");
}

describe("DMTF's protocol validator", () => {
  /**
   * It looks at HTTP, sessions, accounts, ETags, errors and privileges, with the fleet's authority as the trusted one.
   * Lenovo's tags and what the generic service lacks are wrong on purpose.
   */
  it.each(["openbmc", "dell-idrac9", "hpe-ilo6", "supermicro-x12"] as const)(
    "finds nothing wrong with %s",
    async (profile) => {
      const bmc = await start(profile, true);
      const folder = await mkdtemp(join(tmpdir(), "metalwright-validator-"));
      const authority = join(folder, "authority.pem");
      await writeFile(authority, fleet?.certificateAuthority ?? "");
      const args = ["-u", bmc.username, "-p", bmc.password, "-r", bmc.address, "--report-dir", folder];
      const env = { ...process.env, REQUESTS_CA_BUNDLE: authority, SSL_CERT_FILE: authority };
      await run(peers.protocolValidator, args, { timeout: PEER_DEADLINE_MS, env }).catch(() => undefined);
      const report = (await readdir(folder)).find((name) => name.endsWith(".tsv")) ?? "no report was written";
      const lines = (await readFile(join(folder, report), "utf8")).split("\n").map((line) => line.split("\t"));
      await rm(folder, { recursive: true });
      expect(lines.filter(([, , , , verdict]) => verdict === "PASS").length).toBeGreaterThan(300);
      expect(
        lines
          .filter(([, , , , verdict]) => verdict === "FAIL")
          .map(([name, method, , path]) => `${name} ${method} ${path}`),
      ).toEqual([]);
    },
  );
});
