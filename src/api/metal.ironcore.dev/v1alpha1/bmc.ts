/** BMC: one management controller and how it is reached. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { BMCState, PowerState } from "../../names/states.ts";
import { intent } from "../../shapes/intent.ts";
import { protocol } from "../../shapes/protocol.ts";
import { metal } from "./group.ts";

const spec = Type.object("How the controller is reached.", {
  bmcUUID: Type.optional(Type.string("Redfish UUID of the manager; absent takes the first one the BMC lists.")),
  endpointRef: Type.optional(
    Type.deprecated(
      Type.immutable(
        Type.localObjectReference("Endpoint whose address is used; use this or access."),
        "endpointRef is immutable",
      ),
      "access",
    ),
  ),
  access: Type.optional(
    Type.immutable(
      Type.object("Address of the BMC, written here instead of in an Endpoint.", {
        macAddress: Type.optional(Type.string("MAC address of the BMC's port.")),
        ip: Type.optional(Type.string("IP address of the BMC.")),
      }),
      "access is immutable",
    ),
  ),
  bmcSecretRef: Type.localObjectReference("BMCSecret with the credentials."),
  protocol: protocol("How to speak to the BMC."),
  consoleProtocol: Type.optional(
    Type.object("How to reach the serial console.", {
      name: Type.choice("Console protocol.", ["IPMI", "SSH", "SSHLenovo"]),
      port: Type.integer("Port of the console, for example 22 or 623."),
    }),
  ),
  bmcSettingsRef: Type.optional(
    Type.deprecated(
      Type.localObjectReference("BMCSettings applied to this BMC; written by its controller."),
      "BMCSettings.spec.BMCRef",
    ),
  ),
  hostname: Type.optional(Type.string("Host name of the BMC, used in the DNS record made for it.")),
});

const status = Type.object("What the controller last said.", {
  macAddress: Type.optional(
    Type.string("MAC address in use.", { pattern: "^([0-9A-Fa-f]{2}[:-]){5}([0-9A-Fa-f]{2})$" }),
  ),
  ip: Type.optional(Type.string("IP address in use.")),
  manufacturer: Type.optional(Type.string("Manufacturer as the BMC reports it.")),
  model: Type.optional(Type.string("Model of the BMC.")),
  sku: Type.optional(Type.string("Part number of the BMC.")),
  serialNumber: Type.optional(Type.string("Serial number of the BMC.")),
  firmwareVersion: Type.optional(Type.string("Firmware the BMC runs.")),
  state: Type.optional(
    Type.word("State as the BMC reports it; its servers are left alone until it is Enabled.", Object.values(BMCState), {
      default: "Pending",
    }),
  ),
  powerState: Type.optional(Type.word("Power of the BMC itself.", Object.values(PowerState))),
  lastResetTime: Type.optional(Type.time("When the BMC was last reset.")),
  metricsReportSubscriptionLink: Type.optional(Type.string("Redfish address of our subscription to metric reports.")),
  eventsSubscriptionLink: Type.optional(Type.string("Redfish address of our subscription to events.")),
  conditions: Type.optional(Type.conditions("Whether the BMC answers (Ready) and whether it is being reset (Reset).")),
  intent: Type.added(intent),
});

export const BMC = kind({
  ...metal,
  kind: "BMC",
  plural: "bmcs",
  scope: "Cluster",
  describe: "One management controller: how it is reached, and what it last said.",
  spec: Type.ruled(
    spec,
    Type.exactlyOneOf(["access", "endpointRef"], "exactly one of access or endpointRef needs to be set"),
  ),
  status,
  columns: [
    column("MACAddress", ".status.macAddress"),
    column("IP", ".status.ip"),
    column("Model", ".status.model"),
    column("SKU", ".status.sku", { priority: 100 }),
    column("SerialNumber", ".status.serialNumber", { priority: 100 }),
    column("FirmwareVersion", ".status.firmwareVersion", { priority: 100 }),
    column("State", ".status.state"),
    column("PowerState", ".status.powerState"),
    ageColumn,
  ],
});
export type BMC = ObjectOf<typeof BMC>;
