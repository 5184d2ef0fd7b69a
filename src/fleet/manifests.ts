/** Kubernetes manifests for what a fleet simulates: Endpoint or inline access, BMC and BMCSecret. */
import type { Fleet, SimulatedBmc } from "./fleet.ts";
import { rackPlace } from "./rack.ts";

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
  const profiles = new Map(bmcs.map((bmc) => [bmc.profile, bmc]));
  return [
    ...[...profiles.values()].map(secret),
    ...bmcs.flatMap((bmc) =>
      access === "endpoint" ? [endpoint(bmc), controller(bmc, access)] : [controller(bmc, access)],
    ),
  ];
}

/** The name a BMC and its Endpoint get. */
export function nameOf({ index }: SimulatedBmc): string {
  return `bmc-${String(index).padStart(5, "0")}`;
}

/** One secret per profile: user names alone differ only in case between vendors. */
const secretName = ({ profile }: SimulatedBmc): string => `fleet-${profile}`;

function secret(bmc: SimulatedBmc): Manifest {
  const encode = (text: string): string => Buffer.from(text).toString("base64");
  return {
    apiVersion,
    kind: "BMCSecret",
    metadata: { name: secretName(bmc) },
    data: { username: encode(bmc.username), password: encode(bmc.password) },
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
    metadata: { name: nameOf(bmc), labels: { "metalwright.dev/rack": rackPlace(bmc.index).name } },
    spec: {
      ...(access === "endpoint"
        ? { endpointRef: { name: nameOf(bmc) } }
        : { access: { macAddress: bmc.mac, ip: bmc.host } }),
      bmcSecretRef: { name: secretName(bmc) },
      protocol: { name: "Redfish", port: bmc.port, scheme },
    },
  };
}
