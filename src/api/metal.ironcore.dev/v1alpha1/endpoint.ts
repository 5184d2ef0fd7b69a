/** Endpoint: an address seen on the out-of-band network. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { metal } from "./group.ts";

export const Endpoint = kind({
  ...metal,
  kind: "Endpoint",
  plural: "endpoints",
  shortNames: ["mep"],
  scope: "Cluster",
  describe: "An address seen on the out-of-band network, from which a BMC and its credentials are derived.",
  deprecationWarning:
    "metal.ironcore.dev/v1alpha1 Endpoints are deprecated; specify the network access inline via BMC.spec.access (an InlineEndpoint with macAddress and ip) instead",
  spec: Type.object("The address.", {
    macAddress: Type.optional(
      Type.string("MAC address of the BMC's port; its vendor prefix chooses protocol and default credentials."),
    ),
    ip: Type.optional(Type.string("IP address of the BMC.")),
  }),
  status: Type.object("What became of the address.", {
    conditions: Type.added(Type.conditionMap("Whether a BMC was made from this address, and if not, why.")),
  }),
  columns: [column("MACAddress", ".spec.macAddress"), column("IP", ".spec.ip"), ageColumn],
});
export type Endpoint = ObjectOf<typeof Endpoint>;
