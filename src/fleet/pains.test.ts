/** Issues that users of such software reported, reproduced by the fault scripts of examples/faults. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { VirtualClock } from "#clock";
import { parseScript } from "./faults/script.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import type { Host } from "./host/host.ts";
import type { ProfileName } from "./profiles/profile.ts";
import { type Call, clientOf } from "./testing/redfish.ts";

const folder = join(import.meta.dirname, "../../examples/faults");
const clock = { current: new VirtualClock() };
let fleet: Fleet | undefined;
afterEach(() => fleet?.close());

interface Stage {
  readonly calls: readonly Call[];
  readonly host: Host;
}

async function stage(script: string, profile: ProfileName, servers = 1): Promise<Stage> {
  clock.current = new VirtualClock();
  const steps = parseScript(parse(await readFile(join(folder, script), "utf8")));
  fleet = await startFleet({ servers, profile, clock: clock.current, script: steps });
  const host = fleet.control.bmcs[0]?.hosts[0];
  if (!host) throw new Error("no machine");
  await clock.current.advance(0);
  return { calls: fleet.bmcs.map(clientOf), host };
}

const first = ({ calls }: Stage): Call => {
  const [call] = calls;
  if (!call) throw new Error("no BMC");
  return call;
};
const started = async (host: Host): Promise<void> => {
  host.reset("On");
  await clock.current.advance(120_000);
};

describe("reported pains", () => {
  it("an override that is accepted and forgotten: the old system starts again", async () => {
    const scene = await stage("boot-override-ignored.yaml", "dell-idrac9");
    scene.host.disks.write(1, { bytes: "old system", bootable: true });
    const armed = await first(scene)("PATCH", scene.host.path, {
      body: { Boot: { BootSourceOverrideTarget: "Pxe", BootSourceOverrideEnabled: "Once" } },
    });
    expect(armed.status).toBe(204);
    await started(scene.host);
    expect(scene.host.story).toEqual(["running from disk: old system"]);
  });

  it("every session slot taken: log-in fails, basic authentication still works", async () => {
    const scene = await stage("sessions-exhausted.yaml", "dell-idrac9");
    const body = { UserName: fleet?.bmcs[0]?.username, Password: fleet?.bmcs[0]?.password };
    const logIn = () => first(scene)("POST", "/redfish/v1/SessionService/Sessions", { body, anonymous: true });
    expect((await logIn()).status).toBe(201);
    await clock.current.advance(10_000);
    expect((await logIn()).text).toContain("RAC0218");
    expect((await first(scene)("GET", scene.host.path)).status).toBe(200);
  });

  it("a BMC that never answers, beside others that do", async () => {
    const { calls } = await stage("black-hole.yaml", "openbmc", 3);
    let answered = 0;
    const all = calls.map(async (call) => {
      await call("GET", "/redfish/v1/Systems");
      answered += 1;
    });
    await Promise.all([all[0], all[2]]);
    expect(answered).toBe(2);
    await fleet?.close();
    await expect(all[1]).rejects.toThrow();
  });

  it("HTML instead of Redfish", async () => {
    const scene = await stage("html-answers.yaml", "generic");
    const answer = await first(scene)("GET", scene.host.path);
    expect([answer.status, answer.text.startsWith("<html>")]).toEqual([400, true]);
  });

  it("a power state that lies for a while", async () => {
    const scene = await stage("power-state-lies.yaml", "generic");
    const reported = async () => (await first(scene)("GET", scene.host.path)).body.PowerState;
    expect([await reported(), scene.host.power]).toEqual(["On", "Off"]);
    await clock.current.advance(30_000);
    expect(await reported()).toBe("Off");
  });

  it("a machine that always network-boots, though its disk should start", async () => {
    const scene = await stage("always-network-boot.yaml", "lenovo-xcc");
    scene.host.disks.write(1, { bytes: "installed", bootable: true });
    await started(scene.host);
    expect(scene.host.story[0]).toBe("Pxe: no DHCP offer");
  });

  it("one failed poll, and everything is well again", async () => {
    const scene = await stage("one-failed-poll.yaml", "generic");
    const poll = async () => (await first(scene)("GET", scene.host.path)).status;
    expect([await poll(), await poll()]).toEqual([503, 200]);
  });

  it("a job that stalls for two hours and then goes on", async () => {
    const scene = await stage("job-stalls.yaml", "dell-idrac9");
    const update = { ImageURI: "http://127.0.0.1/bios-9.9.bin" };
    const { headers } = await first(scene)("POST", "/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate", {
      body: update,
    });
    const state = async () => (await first(scene)("GET", headers.location ?? "")).body.TaskState;
    await clock.current.advance(7_000_000);
    expect(await state()).toBe("Running");
    await clock.current.advance(300_000);
    expect(await state()).toBe("Completed");
  });

  it("are all there: no script without its test", async () => {
    const source = await readFile(join(import.meta.dirname, "pains.test.ts"), "utf8");
    for (const name of await readdir(folder)) expect(source).toContain(`"${name}"`);
  });
});
