/** A machine's way from power to a running system: POST, firmware work, then the boot sources in turn. */
import { sourcesToTry } from "./boot-settings.ts";
import type { Host } from "./host.ts";
import { httpBoot, mediaBoot, networkBoot } from "./network-boot.ts";
import { runFromDisk, runPayload } from "./payloads.ts";

export type Phase = "off" | "post" | "stuck-in-post" | "booting" | "probe" | "wipe" | "os" | "no-boot" | "crashed";

/** Runs until the machine has settled or the signal ends it; never rejects. */
export async function startUp(host: Host, signal: AbortSignal): Promise<void> {
  try {
    host.story = [];
    host.boots += 1;
    host.phase = "post";
    await post(host, signal);
    if (host.bmc.fault("never-boots")) {
      host.phase = "stuck-in-post";
      return;
    }
    host.phase = "booting";
    await boot(host, signal);
  } catch (error) {
    if (signal.aborted) return;
    host.tell(`boot failed: ${error instanceof Error ? error.message : String(error)}`);
    host.phase = "no-boot";
  }
}

async function post(host: Host, signal: AbortSignal): Promise<void> {
  const { clock, timing } = host.bmc.world;
  host.settings.apply();
  host.bmc.tasks.release();
  if (host.stagedBios) {
    host.tell(`flashing BIOS ${host.stagedBios.version}`);
    await clock.sleep(timing.flashMs, signal);
    host.biosVersion = host.stagedBios.version;
    host.stagedBios.done();
    host.stagedBios = undefined;
  }
  await clock.sleep(timing.postMs, signal);
}

/** Where there is a boot service, firmware tries its order again and again; where there is none, it gives up. */
async function boot(host: Host, signal: AbortSignal): Promise<void> {
  const { clock, timing, boot: environment } = host.bmc.world;
  for (let sources = takeSources(host); ; sources = sourcesToTry(host.override, host.bootOrder)) {
    for (const source of sources) if (await tryFrom(source, host, signal)) return;
    host.tell("no bootable device");
    host.phase = "no-boot";
    if (!environment) return;
    await clock.sleep(timing.bootRetryMs, signal);
    host.phase = "booting";
  }
}

function takeSources(host: Host): readonly string[] {
  const { override } = host;
  if (override.enabled === "Once")
    host.override = { ...override, enabled: "Disabled", target: "None", httpUri: undefined };
  if (host.bmc.fault("always-network-boot")) return ["Pxe"];
  const heeded = host.bmc.fault("boot-override-ignored") ? { ...override, enabled: "Disabled" as const } : override;
  return sourcesToTry(heeded, host.bootOrder);
}

/** Whether something from this source ran; what went wrong with it is told, and the next one is tried. */
async function tryFrom(source: string, host: Host, signal: AbortSignal): Promise<boolean> {
  if (source === "Hdd") return runFromDisk(host, signal);
  const payload = await fetchPayload(source, host, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  });
  if (typeof payload === "string") {
    host.tell(`${source}: ${payload}`);
    return false;
  }
  await runPayload(payload, host, signal);
  return true;
}

function fetchPayload(source: string, host: Host, signal: AbortSignal): ReturnType<typeof networkBoot> {
  if (source === "Pxe") return networkBoot(host, signal);
  if (source === "Cd" || source === "Usb") return mediaBoot(host, signal);
  if (source === "UefiHttp" || source.includes("://")) return httpBoot(host, signal, source);
  return Promise.resolve("not a source this machine has");
}
