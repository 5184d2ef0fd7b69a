/** How a machine's firmware gets what it boots: iPXE scripts, UEFI HTTP boot and virtual media, really fetched. */
import type { Host } from "./host.ts";
import { runScript } from "./ipxe.ts";
import { nicsOf } from "./parts.ts";

/** What was loaded and is about to run. */
export interface Payload {
  readonly source: string;
  readonly commandLine: string;
  /** Text of the Ignition configuration, when one was named. */
  readonly ignition: string | undefined;
}

/** A payload, or why there is none. */
export type Fetched = Promise<Payload | string>;

export async function networkBoot(host: Host, signal: AbortSignal): Fetched {
  const { boot } = host.bmc.world;
  if (!boot) return "no DHCP offer";
  const base = boot.url.replace(/\/$/, "");
  const [nic] = nicsOf(host.bmc, host.n);
  const variables = { uuid: host.uuid, "net0/mac": nic?.mac ?? "", serial: host.serial, platform: "efi" };
  const loaded = await runScript(`${base}/ipxe/`, variables, (url) => fetchText(host, url, signal));
  if (typeof loaded === "string") return loaded;
  for (const image of [loaded.kernel, ...loaded.initrds]) await fetchImage(host, image, signal);
  return load(host, signal, { source: loaded.kernel, commandLine: loaded.commandLine });
}

/** Asks the boot service which image is meant for this machine, unless the override names one. */
export async function httpBoot(host: Host, signal: AbortSignal, source: string): Fetched {
  const named = source.includes("://") ? source : await askForImage(host, signal);
  if (!named) return "no image for HTTP boot";
  await fetchImage(host, named, signal);
  const { boot } = host.bmc.world;
  const ignition = boot ? `ignition.config.url=${boot.url.replace(/\/$/, "")}/ignition/${host.uuid}` : "";
  return load(host, signal, { source: named, commandLine: ignition });
}

export async function mediaBoot(host: Host, signal: AbortSignal): Fetched {
  const [media] = host.media?.values() ?? [];
  if (!media) return "no medium";
  await fetchImage(host, media.image, signal);
  return { source: media.image, commandLine: "", ignition: undefined };
}

async function askForImage(host: Host, signal: AbortSignal): Promise<string | undefined> {
  const { boot } = host.bmc.world;
  if (!boot) return undefined;
  const macs = nicsOf(host.bmc, host.n).map(({ mac }) => mac);
  const { status, text } = await host.bmc.world.outbound.request(`${boot.url.replace(/\/$/, "")}/httpboot`, {
    signal,
    headers: { "x-forwarded-for": macs.join(", ") },
  });
  host.tell(`GET /httpboot: ${status}`);
  if (status !== 200) return undefined;
  const answer = JSON.parse(text) as { UKIURL?: unknown };
  return typeof answer.UKIURL === "string" && answer.UKIURL !== "" ? answer.UKIURL : undefined;
}

async function load(
  host: Host,
  signal: AbortSignal,
  { source, commandLine }: Omit<Payload, "ignition">,
): Promise<Payload> {
  const argument = (name: string): string | undefined =>
    commandLine
      .split(/\s+/)
      .find((word) => word.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  const squashfs = argument("gl.url");
  if (squashfs) await fetchImage(host, squashfs, signal);
  const ignitionUrl = argument("ignition.config.url");
  const ignition = ignitionUrl ? await fetchText(host, ignitionUrl, signal) : undefined;
  return { source, commandLine, ignition };
}

async function fetchText(host: Host, url: string, signal: AbortSignal): Promise<string> {
  const { status, text } = await host.bmc.world.outbound.request(url, { signal });
  host.tell(`GET ${url}: ${status}`);
  if (status !== 200) throw new Error(`GET ${url} answered ${status}`);
  return text;
}

async function fetchImage(host: Host, url: string, signal: AbortSignal): Promise<void> {
  const { status, bytes } = await host.bmc.world.outbound.request(url, { signal, keepBytes: 0, deadlineMs: 300_000 });
  host.tell(`GET ${url}: ${status}, ${bytes} bytes`);
  if (status !== 200 && status !== 206) throw new Error(`GET ${url} answered ${status}`);
}
