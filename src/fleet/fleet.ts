/** Starts a simulated data centre in this process and ends it again. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Bmc } from "./bmc/bmc.ts";
import { answerControl } from "./control/answer.ts";
import { Injector } from "./faults/injector.ts";
import { serve } from "./http/serve.ts";
import { addressOf, rangeIsRouted } from "./net/addressing.ts";
import type { Certificates } from "./net/certificates.ts";
import { type Listener, listen } from "./net/listener.ts";
import { Outbound } from "./net/outbound.ts";
import { type FleetOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import { profileFor, systemsFor } from "./profiles/profiles.ts";
import { redfishTree } from "./tree/tree.ts";
import type { World } from "./world.ts";

export interface SimulatedSystem {
  readonly uuid: string;
  readonly path: string;
  readonly serial: string;
}

/** How to reach one simulated BMC. */
export interface SimulatedBmc {
  readonly index: number;
  /** Base address, such as "http://127.1.0.1:8443". */
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly vendor: string;
  readonly profile: string;
  readonly mac: string;
  readonly systems: readonly SimulatedSystem[];
}

/** The fleet's own door, for faults and for looking behind the scenes. */
export interface FleetControl extends Pick<Injector, "inject" | "clear" | "list" | "run"> {
  readonly url: string;
  readonly token: string;
  /** The simulated BMCs themselves: tests look at power, disks and sessions without asking Redfish. */
  readonly bmcs: readonly Bmc[];
  /** Hears of every request to a BMC as it arrives; the returned function ends that. */
  watch(watcher: Watcher): () => void;
}

/** Method and address as the client sent them. */
export type Watcher = (seen: { readonly bmc: number; readonly method: string; readonly url: string }) => void;

export interface Fleet {
  readonly bmcs: readonly SimulatedBmc[];
  readonly control: FleetControl;
  /** PEM of what signed the BMCs' certificates, when they speak HTTPS. */
  readonly certificateAuthority?: string;
  /** Ends every machine, connection and timer. */
  close(): Promise<void>;
}

/** Rejects when an option is wrong or the port is taken. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const resolved = resolveOptions(options);
  const world: World = { ...resolved, outbound: new Outbound(resolved.clock) };
  const bmcs = populate(world, resolved);
  const injector = new Injector(world.clock, bmcs);
  const token = resolved.token ?? randomBytes(18).toString("base64url");
  const addressing = resolved.addressing ?? ((await rangeIsRouted()) ? "ip" : "port");
  const certificates = resolved.tls ? await makeCertificates(bmcs, world, addressing) : undefined;
  const watchers = new Set<Watcher>();
  const fleet: { current?: Fleet } = {};
  const listener = await listen({
    bmcs: bmcs.length,
    addressing,
    port: resolved.port,
    secure: certificates && ((socket, bmc) => certificates.secure(socket, bmc)),
    onRequest: (target, request, response) => {
      const bmc = target === "control" ? undefined : bmcs[target];
      if (bmc) {
        count(bmc, request, response, watchers);
        void serve({ bmc, router: redfishTree }, request, response);
      } else if (fleet.current) void answerControl(fleet.current, request, response);
    },
  });
  fleet.current = assemble({ world, bmcs, injector, listener, token, watchers, authority: certificates?.authority });
  injector.run(resolved.script);
  if (resolved.powered === "On") for (const { hosts } of bmcs) for (const host of hosts) host.reset("On");
  return fleet.current;
}

/** A request is in flight until its answer has left or its connection is gone. */
function count(bmc: Bmc, request: IncomingMessage, response: ServerResponse, watchers: ReadonlySet<Watcher>): void {
  const { traffic } = bmc;
  traffic.requests += 1;
  traffic.inFlight += 1;
  traffic.mostInFlight = Math.max(traffic.mostInFlight, traffic.inFlight);
  response.once("close", () => {
    traffic.inFlight -= 1;
  });
  for (const watcher of watchers) watcher({ bmc: bmc.index, method: request.method ?? "", url: request.url ?? "" });
}

/** Loaded only for HTTPS: the certificate library takes a while to load. */
async function makeCertificates(bmcs: readonly Bmc[], world: World, addressing: "ip" | "port"): Promise<Certificates> {
  const { Certificates } = await import("./net/certificates.ts");
  return Certificates.make(world.clock, (index) => ({
    name: `bmc-${bmcs[index]?.serial.toLowerCase()}.oob.example`,
    address: addressing === "ip" ? addressOf(index) : "127.0.0.1",
    expired: bmcs[index]?.fault("tls-expired") !== undefined,
  }));
}

function populate(world: World, { servers, profile, password, systemsPerBmc }: ResolvedOptions): readonly Bmc[] {
  const bmcs: Bmc[] = [];
  for (let left = servers; left > 0; ) {
    const index = bmcs.length;
    const chosen = profileFor(profile, world.seed, index);
    const systems = Math.min(left, systemsPerBmc ?? (profile === "mixed" ? systemsFor(chosen, world.seed, index) : 1));
    bmcs.push(new Bmc(world, chosen, { index, systems, username: chosen.username, password }));
    left -= systems;
  }
  return bmcs;
}

interface Assembly {
  readonly world: World;
  readonly bmcs: readonly Bmc[];
  readonly injector: Injector;
  readonly listener: Listener;
  readonly token: string;
  readonly watchers: Set<Watcher>;
  readonly authority: string | undefined;
}

function assemble({ world, bmcs, injector, listener, token, watchers, authority }: Assembly): Fleet {
  return {
    bmcs: bmcs.map((bmc) => describe(bmc, listener, authority !== undefined)),
    ...(authority === undefined ? {} : { certificateAuthority: authority }),
    control: {
      url: `http://127.0.0.1:${listener.controlPort}/_fleet`,
      token,
      bmcs,
      inject: (fault, on, forMs) => injector.inject(fault, on, forMs),
      clear: (id) => injector.clear(id),
      list: () => injector.list(),
      run: (script) => injector.run(script),
      watch(watcher) {
        watchers.add(watcher);
        return () => void watchers.delete(watcher);
      },
    },
    async close() {
      injector.close();
      await Promise.all(bmcs.map((bmc) => bmc.close()));
      await listener.close();
      await world.outbound.close();
    },
  };
}

function describe(bmc: Bmc, listener: Listener, tls: boolean): SimulatedBmc {
  const { host, port } = listener.endpointOf(bmc.index);
  return {
    index: bmc.index,
    address: `${tls ? "https" : "http"}://${host}:${port}`,
    host,
    port,
    username: bmc.username,
    password: bmc.initialPassword,
    vendor: bmc.profile.manufacturer,
    profile: bmc.profile.name,
    mac: bmc.mac,
    // Drawn when asked for: ten thousand BMCs should not each hold what the seed can say again.
    get systems() {
      return bmc.hosts.map(({ uuid, path, serial }) => ({ uuid, path, serial }));
    },
  };
}
