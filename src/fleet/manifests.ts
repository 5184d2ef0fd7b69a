/** Kubernetes manifests for what a fleet simulates: Endpoint or inline access, BMC and BMCSecret. */
import type { Fleet, SimulatedBmc } from "./fleet.ts";

export interface ManifestOptions {
  /** "endpoint": an Endpoint object per BMC; "inline": the address inside the BMC. */
  readonly access?: "endpoint" | "inline";
}

type Manifest = Readonly<Record<string, unknown>>;

const apiVersion = "metal.ironcore.dev/v1alpha1";

/** The objects, secrets first, so that they can be applied in this order. */
export function manifestsOf(
  { bmcs }: Pick<Fleet, "bmcs">,
  { access = "inline" }: ManifestOptions = {},
): readonly Manifest[] {
  const users = new Map(bmcs.map((bmc) => [bmc.username, bmc.password]));
  return [
    ...[...users].map(([username, password]) => secret(username, password)),
    ...bmcs.flatMap((bmc) =>
      access === "endpoint" ? [endpoint(bmc), controller(bmc, access)] : [controller(bmc, access)],
    ),
  ];
}

/** The name a BMC and its Endpoint get. */
export function nameOf({ index }: SimulatedBmc): string {
  return `bmc-${String(index).padStart(5, "0")}`;
}

const secretName = (username: string): string => `fleet-${username.toLowerCase()}`;

function secret(username: string, password: string): Manifest {
  const encode = (text: string): string => Buffer.from(text).toString("base64");
  return {
    apiVersion,
    kind: "BMCSecret",
    metadata: { name: secretName(username) },
    data: { username: encode(username), password: encode(password) },
  };
}

function endpoint(bmc: SimulatedBmc): Manifest {
  return { apiVersion, kind: "Endpoint", metadata: { name: nameOf(bmc) }, spec: { macAddress: bmc.mac, ip: bmc.host } };
}

function controller(bmc: SimulatedBmc, access: "endpoint" | "inline"): Manifest {
  const scheme = bmc.address.split(":")[0];
  return {
    apiVersion,
    kind: "BMC",
    metadata: { name: nameOf(bmc), labels: { "metalwright.dev/rack": rackOf(bmc.index) } },
    spec: {
      ...(access === "endpoint"
        ? { endpointRef: { name: nameOf(bmc) } }
        : { access: { macAddress: bmc.mac, ip: bmc.host } }),
      bmcSecretRef: { name: secretName(bmc.username) },
      protocol: { name: "Redfish", port: bmc.port, scheme },
    },
  };
}

/** Ten BMCs to a rack, as their chassis say. */
export function rackOf(index: number): string {
  return `rack-${1 + Math.floor(index / 10)}`;
}
