import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { seededRandom, systemClock } from "#clock";
import { Lanes } from "../port/lanes.ts";
import { ipmiAddress } from "../port/port.ts";
import { IpmiDriver } from "./ipmi-driver.ts";
import { bootIn, fieldsIn, powerIn, sensorsIn } from "./ipmi-output.ts";

const PASSWORD = "Secret-word-1";
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** An `ipmitool` that keeps the state of one chassis in files and notes how it was called. */
async function fakeTool(fence?: () => void) {
  const folder = await mkdtemp(join(tmpdir(), "ipmi-"));
  cleanUps.push(() => rm(folder, { recursive: true }));
  const executable = join(folder, "ipmitool");
  await writeFile(executable, script(folder));
  await chmod(executable, 0o755);
  await writeFile(join(folder, "power"), "off");
  const lanes = new Lanes({
    clock: systemClock,
    random: seededRandom(1),
    ipmitool: executable,
    ...(fence ? { fence } : {}),
  });
  cleanUps.push(() => lanes.close());
  const handle = (password = PASSWORD) =>
    lanes.acquire({
      holder: "BMC/old",
      address: ipmiAddress("127.0.0.1", 9623),
      credentials: { username: "admin", password: () => password },
    });
  const calls = () => readFile(join(folder, "calls"), "utf8").catch(() => "");
  return { folder, handle, calls, write: (name: string, text: string) => writeFile(join(folder, name), text) };
}

function script(folder: string): string {
  return `#!/bin/sh
cd "${folder}"
echo "$@" >> calls
if [ -f silent ]; then exec sleep 60; fi
if [ "$IPMITOOL_PASSWORD" != "${PASSWORD}" ]; then
  echo "> RAKP 2 HMAC is invalid" >&2
  echo "Error: Unable to establish IPMI v2 / RMCP+ session" >&2
  exit 1
fi
if [ -f gone ]; then echo "Error: Unable to establish IPMI v2 / RMCP+ session" >&2; exit 1; fi
case "$*" in
  *"chassis power status") echo "Chassis Power is $(cat power)" ;;
  *"chassis power on") echo on > power; echo "Chassis Power Control: Up/On" ;;
  *"chassis power off"|*"chassis power soft") echo off > power; echo "Chassis Power Control: Down/Off" ;;
  *"chassis bootdev"*) echo "$*" | sed "s/.*bootdev //" > boot; echo "Set Boot Device" ;;
  *"bootparam get 5") printf ' Boot Flags :\\n   - Boot Flag Valid\\n   - Options apply to only next boot\\n   - Boot Device Selector : %s\\n' "$(cat shown 2>/dev/null || echo Force PXE)" ;;
  *"mc info") printf 'Firmware Revision         : 1.20\\nManufacturer Name         : Acme\\nProduct Name              : Unknown (0xF02)\\n' ;;
  *"fru print 0") printf ' Product Manufacturer  : Acme S\\n Product Name          : Box 1\\n Product Serial        : SN12\\n' ;;
  *"sdr list") printf 'CPU Temp,41,degrees C,ok\\nFAN 1,0,RPM,cr\\nPSU2,,,ns\\n' ;;
  *) echo "Invalid command: $*" >&2; exit 1 ;;
esac
`;
}

async function driver(fence?: () => void) {
  const tool = await fakeTool(fence);
  const handle = tool.handle();
  const make = new IpmiDriver((args, options) => handle.command(args, options));
  return { ...tool, handle, driver: make };
}

const soon = () => ({ deadlineAt: systemClock.monotonic() + 10_000 });
const server = "chassis";

describe("IPMI", () => {
  it("gets to know a BMC and reads its inventory", async () => {
    const { driver: one } = await driver();
    expect(await one.introduce()).toEqual({
      ok: true,
      value: {
        manager: { manufacturer: "Acme", model: "Unknown (0xF02)", firmwareVersion: "1.20" },
        servers: [{ id: "chassis", power: "Off", manufacturer: "Acme S", model: "Box 1", serialNumber: "SN12" }],
      },
    });
    expect(await one.readServer(server)).toMatchObject({ value: { serialNumber: "SN12", power: "Off" } });
    expect(await one.readInventory()).toMatchObject({
      value: {
        board: { "Product Serial": "SN12" },
        sensors: [
          { name: "CPU Temp", value: 41, unit: "degrees C", health: "OK" },
          { name: "FAN 1", value: 0, unit: "RPM", health: "Critical" },
        ],
      },
    });
  });

  it("switches power, and leaves a machine alone that is as asked", async () => {
    const { driver: one, calls } = await driver();
    const on = { kind: "Reset", server, type: "On" } as const;
    expect(await one.perform(on, soon())).toMatchObject({ value: { sent: true } });
    expect(await one.readServer(server)).toMatchObject({ value: { power: "On" } });
    expect(await one.perform(on, soon())).toMatchObject({ value: { sent: false } });
    expect((await calls()).match(/chassis power on/g)).toHaveLength(1);
    expect(await one.perform({ kind: "Reset", server, type: "Suspend" }, soon())).toMatchObject({
      failure: { code: "NotSupported", message: expect.stringContaining("ForceOff") },
    });
  });

  it("sets the boot device and sees that it was taken", async () => {
    const { driver: one, calls, write } = await driver();
    const override = { target: "Pxe", lasts: "Once" } as const;
    expect(await one.perform({ kind: "SetBootOverride", server, override }, soon())).toMatchObject({
      value: { sent: true, result: { target: "Pxe", lasts: "Once", armed: true } },
    });
    expect(await calls()).toContain("chassis bootdev pxe options=efiboot\n");
    await write("shown", "No override");
    expect(await one.perform({ kind: "SetBootOverride", server, override }, soon())).toMatchObject({
      failure: { code: "Refused" },
    });
    expect(
      await one.perform({ kind: "SetBootOverride", server, override: { target: "Usb", lasts: "Once" } }, soon()),
    ).toMatchObject({ failure: { code: "NotSupported" } });
  });

  it("shows the password to nobody: not in the arguments, not in a failure", async () => {
    const { driver: one, calls, write, handle } = await driver();
    await one.introduce();
    await write("gone", "");
    const failed = await one.readServer(server);
    expect(failed).toMatchObject({ failure: { code: "Unreachable" } });
    expect(await calls()).toContain("-U admin -E");
    expect((await calls()) + JSON.stringify([failed, handle.conditions, handle.detail()])).not.toContain(PASSWORD);
  });

  it("tries a refused password once, until it changes", async () => {
    const tool = await fakeTool();
    const handle = tool.handle("wrong-word");
    for (let i = 0; i < 4; i++)
      expect(await handle.command(["chassis", "power", "status"])).toMatchObject({ failure: { code: "Unauthorized" } });
    expect((await tool.calls()).trim().split("\n")).toHaveLength(1);
    expect(handle.conditions.map(({ type }) => type)).toEqual(["CredentialsRefused"]);
    handle.updateCredentials({ username: "admin", password: () => PASSWORD });
    expect(await handle.command(["chassis", "power", "status"])).toMatchObject({ ok: true });
    expect(handle.conditions).toEqual([]);
  });

  it("ends a command that does not end, and starts none behind a closed fence", async () => {
    const { handle, write, calls } = await driver(() => {
      if (closed) throw new Error("the lease is over");
    });
    let closed = false;
    await write("silent", "");
    expect(await handle.command(["mc", "info"], { timeoutMs: 200 })).toMatchObject({ failure: { code: "TimedOut" } });
    const before = await calls();
    closed = true;
    expect(await handle.command(["mc", "info"])).toMatchObject({ failure: { code: "Fenced" } });
    expect(await calls()).toBe(before);
  });

  it("says what to install when there is no ipmitool", async () => {
    const lanes = new Lanes({ clock: systemClock, random: seededRandom(1), ipmitool: "/nonexistent/ipmitool" });
    cleanUps.push(() => lanes.close());
    const credentials = { username: "admin", password: () => PASSWORD };
    const handle = lanes.acquire({ holder: "BMC/x", address: ipmiAddress("::1"), credentials });
    expect(handle.key).toBe("ipmi://[::1]:623");
    expect(await handle.command(["mc", "info"])).toMatchObject({
      failure: { code: "NotSupported", message: expect.stringContaining('install the package "ipmitool"') },
    });
    expect(await handle.send({ method: "GET", path: "/" })).toMatchObject({ failure: { code: "NotSupported" } });
  });
});

describe("the output of ipmitool", () => {
  it.each([
    ["Chassis Power is on\n", "On"],
    ["Chassis Power is off", "Off"],
    ["Unable to get Chassis Power Status", undefined],
    ["", undefined],
  ] as const)("%j means power %s", (output, power) => {
    expect(powerIn(output)).toBe(power);
  });

  it("of a board keeps the first of two equal names and values with colons", () => {
    expect(fieldsIn(" A  : 1\n\ngarbage\n B : http://x:1\n A : 2\n : 3\n")).toEqual({ A: "1", B: "http://x:1" });
  });

  it("of sensors leaves out what is not readable", () => {
    expect(sensorsIn("a,1.5,Volts,ok\nb,,,ns\nbroken\n\nc,na,,nc")).toEqual([
      { name: "a", value: 1.5, unit: "Volts", health: "OK" },
      { name: "c", health: "Warning" },
    ]);
  });

  it.each([
    [
      "Boot Flag Valid\n Options apply to all future boots\n Boot Device Selector : Force Boot from CD/DVD",
      { target: "Cd", lasts: "Continuous", armed: true },
    ],
    [
      "Boot Flag Invalid\n Options apply to only next boot\n Boot Device Selector : Force PXE",
      { target: "Pxe", lasts: "Once", armed: false },
    ],
    ["Boot Flag Valid\n Boot Device Selector : No override", { target: "None", lasts: "Once", armed: false }],
    ["Boot Device Selector : Force Boot from Flux", undefined],
    ["nothing of the kind", undefined],
  ])("%j of the boot device", (output, boot) => {
    expect(bootIn(output)).toEqual(boot);
  });
});
