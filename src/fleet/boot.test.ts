import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Registration, WipeReport } from "#machine";
import { type Fleet, startFleet } from "./fleet.ts";
import type { Host } from "./host/host.ts";

/** A boot service and a registry, as small as they can be. */
let service: Server;
let base: string;
let fleet: Fleet;
let host: Host;
let asked: string[];
let posted: { readonly path: string; readonly body: unknown }[];
let ignition: unknown;
let script: string | undefined;

const chain = (): string => `#!ipxe
set base-url /ipxe
chain --replace --autofree \${base-url}/\${uuid}
`;
const perServer = (): string => `#!ipxe
set ipxe-svc ${base}
set kernel-url \${ipxe-svc}/image?layer=kernel
echo booting
kernel \${kernel-url} initrd=initrd gl.url=\${ipxe-svc}/image?layer=squashfs ignition.config.url=\${ipxe-svc}/ignition/\${uuid}
initrd \${ipxe-svc}/image?layer=initrd
boot
`;
const unit = (command: string): unknown => ({
  ignition: { version: "3.4.0" },
  systemd: { units: [{ name: "x.service", contents: `[Service]\nExecStart=${command}\n` }] },
});

function respond(path: string): string | undefined {
  if (path === "/ipxe/") return chain();
  if (path.startsWith("/ipxe/")) return script ?? perServer();
  if (path.startsWith("/image") || path === "/uki.efi" || path === "/live.iso") return "bytes";
  if (path.startsWith("/ignition/")) return JSON.stringify(ignition);
  if (path === "/httpboot" && script === undefined) return JSON.stringify({ ClientIPs: "", UKIURL: `${base}/uki.efi` });
  return undefined;
}

beforeEach(async () => {
  asked = [];
  posted = [];
  script = undefined;
  service = createServer((request, response) => {
    const path = request.url ?? "";
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      if (request.method === "POST") {
        posted.push({ path, body: JSON.parse(text) });
        return response.writeHead(201).end();
      }
      asked.push(path);
      const body = respond(path);
      return response.writeHead(body === undefined ? 404 : 200).end(body);
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  fleet = await startFleet({ servers: 1, profile: "openbmc", speed: 2_000, boot: { url: base } });
  const found = fleet.control.bmcs[0]?.hosts[0];
  if (!found) throw new Error("no machine");
  host = found;
});
afterEach(async () => {
  await fleet.close();
  await new Promise((resolve) => service.close(resolve));
});

/** These machines and their network are real time; a loaded computer may need a while. */
const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 15_000, interval: 20 });

function bootFrom(target: string): void {
  host.override = { ...host.override, enabled: "Once", target };
  host.reset(host.power === "On" ? "ForceRestart" : "On");
}

describe("a network boot", () => {
  it("runs the probe, which registers and keeps registering", async () => {
    ignition = unit(`/usr/bin/ctr run metalprobe ./launch.sh --registry-url=${base} --server-uuid=${host.uuid}`);
    bootFrom("Pxe");
    await eventually(() => expect(posted.length).toBeGreaterThan(1));
    expect(asked).toEqual([
      "/ipxe/",
      `/ipxe/${host.uuid}`,
      "/image?layer=kernel",
      "/image?layer=initrd",
      "/image?layer=squashfs",
      `/ignition/${host.uuid}`,
    ]);
    const { path, body } = posted[0] ?? {};
    const { systemUUID, data } = body as Registration;
    expect([path, systemUUID, host.phase]).toEqual(["/register", host.uuid, "probe"]);
    expect(data.networkInterfaces?.length).toBe(4);
    expect(data.storage?.length).toBe(8);
    expect(data.lldp?.[0]?.neighbors[0]?.systemName).toBe("leaf-1a");
    expect(data.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(host.disks.dirty()).toEqual([]);
  });

  it("runs an operating system, which writes to its disks, reports and starts from disk the next time", async () => {
    ignition = unit(`/usr/bin/curl -d booted ${base}/bootstate`);
    bootFrom("Pxe");
    await eventually(() =>
      expect(posted).toEqual([{ path: "/bootstate", body: { systemUUID: host.uuid, booted: true } }]),
    );
    expect(host.phase).toBe("os");
    expect(host.disks.dirty()).toEqual([1, 3]);
    const tenant = host.disks.read(1)?.bytes;
    asked.length = 0;
    bootFrom("None");
    await eventually(() => expect(host.boots).toBe(2));
    await eventually(() => expect(host.story).toContain(`running from disk: ${tenant}`));
    expect(asked).toEqual([]);
  });

  it("runs the wipe agent, which takes what the tenant left and reports each disk", async () => {
    host.disks.write(1, { bytes: "tenant", bootable: true });
    host.disks.write(2, { bytes: "tenant", bootable: false });
    fleet.control.inject({ kind: "wipe-fails", drive: 2 });
    ignition = unit(
      `/usr/bin/node agent.mjs wipe --report-url=${base}/wiped --server-uuid=${host.uuid} --method=secure`,
    );
    bootFrom("Pxe");
    await eventually(() => expect(posted.length).toBe(1));
    const { disks = [] } = (posted[0]?.body ?? {}) as Partial<WipeReport>;
    expect(disks.length).toBe(8);
    expect(disks[0]).toMatchObject({ wiped: true, method: "secure" });
    expect(disks[1]).toMatchObject({ wiped: false, error: "I/O error" });
    expect(host.disks.dirty()).toEqual([2]);
  });

  it("that a script gives up, or that meets no script, goes on with the next source and comes back to it", async () => {
    script = "#!ipxe\nexit\n";
    bootFrom("Pxe");
    await eventually(() => expect(host.story).toContain("no bootable device"));
    const told = host.story.filter((line) => !line.startsWith("GET"));
    expect(told.slice(0, 3)).toEqual([
      "Pxe: the script said exit",
      "Hdd: nothing bootable",
      "UefiHttp: no image for HTTP boot",
    ]);
    script = "<html>";
    await eventually(() => expect(host.story.join()).toContain("is not an iPXE script"));
    script = undefined;
    ignition = unit("/bin/true");
    await eventually(() => expect(host.phase).toBe("os"));
    expect(host.boots).toBe(1);
  });

  it("never gets that far when a fault says so, until it is lifted", async () => {
    ignition = unit("/bin/true");
    fleet.control.inject({ kind: "never-boots" });
    bootFrom("Pxe");
    await eventually(() => expect(host.phase).toBe("stuck-in-post"));
    expect(asked).toEqual([]);
    fleet.control.clear();
    await eventually(() => expect(host.phase).toBe("os"));
  });

  it("stops in the middle when power goes", async () => {
    ignition = unit(`metalprobe --registry-url=${base} --server-uuid=${host.uuid}`);
    bootFrom("Pxe");
    await eventually(() => expect(host.phase).toBe("probe"));
    host.reset("ForceOff");
    await eventually(() => expect(host.phase).toBe("off"));
    await host.close();
    const before = posted.length;
    await fleet.close();
    expect(posted.length).toBe(before);
  });
});

describe("other sources", () => {
  it("UEFI HTTP asks which image is meant, and fetches it and the Ignition", async () => {
    ignition = unit("/bin/true");
    bootFrom("UefiHttp");
    await eventually(() => expect(host.phase).toBe("os"));
    expect(asked).toEqual(["/httpboot", "/uki.efi", `/ignition/${host.uuid}`]);
  });

  it("virtual media is fetched from where it was inserted", async () => {
    host.media = new Map([["Slot_0", { image: `${base}/live.iso`, writeProtected: true }]]);
    bootFrom("Cd");
    await eventually(() => expect(host.phase).toBe("os"));
    expect(asked).toEqual(["/live.iso"]);
  });
});
