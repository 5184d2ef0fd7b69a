/** What runs on a machine once it has booted: the probe, the wipe agent or somebody's operating system. */
import { createHash } from "node:crypto";
import type { BootStateReport, DiskEvidence, Registration, WipeReport } from "#machine";
import { factsOf } from "./facts.ts";
import type { Host } from "./host.ts";
import { type Role, roleOf } from "./ignition.ts";
import type { Payload } from "./network-boot.ts";
import { drivesOf } from "./parts.ts";

const PROBE_RETRY_SHARE = 20 / 30;

export async function runPayload(payload: Payload, host: Host, signal: AbortSignal): Promise<void> {
  await host.bmc.world.clock.sleep(host.bmc.world.timing.osBootMs, signal);
  const role = roleOf(payload.ignition, payload.commandLine);
  if (role.role === "probe") return runProbe(role, host, signal);
  if (role.role === "wipe") return runWipe(role, host, signal);
  await runSystem(payload, role, host, signal);
}

/** Starts what is installed on the disks; false when there is nothing. */
export async function runFromDisk(host: Host, signal: AbortSignal): Promise<boolean> {
  const content = host.disks.bootable();
  if (!content) {
    host.tell("Hdd: nothing bootable");
    return false;
  }
  await host.bmc.world.clock.sleep(host.bmc.world.timing.osBootMs, signal);
  host.phase = "os";
  host.tell(`running from disk: ${content.bytes}`);
  await reportBooted(host, host.bmc.world.boot?.registryUrl, signal);
  return true;
}

async function runProbe(
  { registryUrl, uuid }: Role & { role: "probe" },
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  host.phase = "probe";
  const { clock, timing } = host.bmc.world;
  while (!signal.aborted) {
    const registration: Registration = { systemUUID: uuid, data: factsOf(host) };
    const registered = await tell(host, `${registryUrl.replace(/\/$/, "")}/register`, registration, signal);
    await clock.sleep(registered ? timing.probeEveryMs : timing.probeEveryMs * PROBE_RETRY_SHARE, signal);
  }
}

async function runWipe(role: Role & { role: "wipe" }, host: Host, signal: AbortSignal): Promise<void> {
  host.phase = "wipe";
  const { clock, timing } = host.bmc.world;
  await clock.sleep(timing.wipeMs, signal);
  const failing = host.bmc.fault("wipe-fails");
  const disks = drivesOf(host.bmc, host.n).map((drive): DiskEvidence => {
    const evidence = { path: devicePath(drive.n), serial: drive.serial, method: role.method };
    if (failing && (failing.drive ?? 1) === drive.n) return { ...evidence, wiped: false, error: "I/O error" };
    host.disks.wipe(drive.n);
    return { ...evidence, wiped: true };
  });
  const report: WipeReport = { systemUUID: role.uuid, finished: clock.now().toISOString(), disks };
  const headers = role.token ? { authorization: `Bearer ${role.token}` } : {};
  while (!(await tell(host, role.reportUrl, report, signal, headers))) await clock.sleep(timing.probeEveryMs, signal);
}

async function runSystem(
  payload: Payload,
  role: Role & { role: "os" },
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  host.phase = "os";
  const tenant = createHash("sha256")
    .update(payload.ignition ?? payload.source)
    .digest("hex")
    .slice(0, 16);
  host.disks.write(1, { bytes: `system of tenant ${tenant}`, bootable: true });
  host.disks.write(3, { bytes: `data of tenant ${tenant}`, bootable: false });
  host.tell(`running ${payload.source}`);
  await reportBooted(host, role.registryUrl ?? host.bmc.world.boot?.registryUrl, signal);
}

async function reportBooted(host: Host, registryUrl: string | undefined, signal: AbortSignal): Promise<void> {
  if (!registryUrl) return;
  const report: BootStateReport = { systemUUID: host.uuid, booted: true };
  await tell(host, `${registryUrl.replace(/\/$/, "")}/bootstate`, report, signal);
}

/** Posts once; says whether it was taken. A refusal or silence is told, not thrown: the agent tries again. */
async function tell(
  host: Host,
  url: string,
  body: Registration | WipeReport | BootStateReport,
  ...[signal, headers]: [AbortSignal, Readonly<Record<string, string>>?]
): Promise<boolean> {
  try {
    const { status } = await host.bmc.world.outbound.request(url, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
      signal,
      deadlineMs: 5_000,
    });
    host.tell(`POST ${url}: ${status}`);
    return status < 300;
  } catch (error) {
    if (signal.aborted) throw error;
    host.tell(`POST ${url}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

export function devicePath(drive: number): string {
  return `/dev/nvme${drive - 1}n1`;
}
