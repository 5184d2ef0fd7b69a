/** What may be wished of a Server. Controllers and people both write here. */
import { Type } from "#kinds";
import { CleanupPolicy, IndicatorLED, Power } from "../../names/states.ts";
import { protocol } from "../../shapes/protocol.ts";
import { taint } from "../../shapes/taint.ts";

const policyFor = (disks: string) =>
  Type.optional(Type.choice(`How ${disks} are emptied between tenants.`, Object.values(CleanupPolicy)));

const cleanup = Type.object("How disks are emptied when the server changes hands.", {
  default: policyFor("disks of a class not named here"),
  hdd: policyFor("spinning disks"),
  ssd: policyFor("SATA and SAS solid-state disks"),
  nvme: policyFor("NVMe disks"),
});

const inlineBMC = Type.object("Access to the BMC when there is no BMC object.", {
  protocol: protocol("How to speak to the BMC."),
  address: Type.string("IP address or host name of the BMC."),
  bmcSecretRef: Type.localObjectReference("BMCSecret with the credentials."),
});

const bootEntry = Type.object("One place in the boot order.", {
  name: Type.string("Name of the entry."),
  priority: Type.integer("Place in the order; lower comes first.", { format: "int64" }),
  device: Type.string("Redfish boot option reference, for example Boot0003."),
});

export const serverSpec = Type.object("What is wanted of the machine.", {
  systemUUID: Type.string(
    "Redfish UUID of the system, in lower case; boot requests and registrations are matched by it.",
  ),
  systemURI: Type.optional(Type.string("Redfish address of the system; filled in by the controller.")),
  power: Type.optional(
    Type.deprecated(
      Type.word("Power the controllers currently ask for.", Object.values(Power)),
      "ServerClaim.spec.power or ServerMaintenance.spec.serverPower",
    ),
  ),
  indicatorLED: Type.optional(
    Type.word("Locator light, to find the machine in the rack.", Object.values(IndicatorLED)),
  ),
  reclaimPolicy: Type.optional(
    Type.choice(
      "What happens when the claim is gone: Recycle makes the server available again, Retain keeps it as it is.",
      ["Recycle", "Retain"],
      { default: "Recycle" },
    ),
  ),
  serverClaimRef: Type.optional(
    Type.immutableObjectReference("ServerClaim that owns the server; set and removed whole, never edited."),
  ),
  serverMaintenanceRef: Type.optional(Type.objectReference("ServerMaintenance that has the server now: the one lock.")),
  bmcRef: Type.optional(Type.localObjectReference("BMC object through which the server is reached; wins over bmc.")),
  bmc: Type.optional(inlineBMC),
  bootConfigurationRef: Type.optional(Type.objectReference("ServerBootConfiguration the server boots with.")),
  maintenanceBootConfigurationRef: Type.optional(
    Type.objectReference("ServerBootConfiguration the server boots with during a maintenance."),
  ),
  bootOrder: Type.optional(Type.list("Persistent boot order.", bootEntry)),
  biosSettingsRef: Type.optional(
    Type.deprecated(
      Type.localObjectReference("BIOSSettings applied to this server; written by its controller."),
      "BIOSSettings.spec.serverRef",
    ),
  ),
  taints: Type.optional(Type.list("Taints that keep claims off the server.", taint("One taint."))),
  unclaimable: Type.optional(
    Type.boolean("True keeps new claims off the server; a claim that has it keeps it.", { default: false }),
  ),
  cleanup: Type.added(cleanup),
});
