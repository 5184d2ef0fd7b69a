/** ServerMaintenance: takes a server out of service for a while, one at a time, with the owner's consent. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { IndicatorLED, MaintenancePolicy, Power, ServerMaintenanceState } from "../../names/states.ts";
import { deprecationOf, metal } from "./group.ts";
import { serverBootConfigurationSpec } from "./server-boot-configuration.ts";

const spec = Type.object("Which server, and how it shall be meanwhile.", {
  serverRef: Type.localObjectReference("Server to maintain."),
  policy: Type.optional(
    Type.word(
      "OwnerApproval waits for the claim's owner, Enforced does not; empty is treated like OwnerApproval.",
      Object.values(MaintenancePolicy),
    ),
  ),
  serverPower: Type.optional(
    Type.word("Power of the server meanwhile; empty leaves it to whoever maintains it.", Object.values(Power)),
  ),
  locatorLED: Type.optional(
    Type.word("Locator light meanwhile; it is switched off afterwards.", Object.values(IndicatorLED)),
  ),
  priority: Type.optional(
    Type.integer("Among those waiting for the same server the largest goes first.", { default: 0 }),
  ),
  serverBootConfigurationTemplate: Type.optional(
    Type.object("What the server boots meanwhile.", {
      name: Type.string("Name shown in the table; the boot configuration is named like the maintenance."),
      spec: serverBootConfigurationSpec,
    }),
  ),
  type: Type.added(
    Type.string("What sort of maintenance it is, for example BIOSUpdate; shown and counted, nothing depends on it.", {
      maxLength: 253,
    }),
  ),
});

export const ServerMaintenance = kind({
  ...metal,
  kind: "ServerMaintenance",
  plural: "servermaintenances",
  shortNames: ["sm"],
  scope: "Namespaced",
  describe:
    "Takes a server out of service for a while. Deleting it, or setting its state to Complete, gives the server back.",
  deprecationWarning: deprecationOf("ServerMaintenance"),
  spec,
  status: Type.object("Whether the server is in maintenance.", {
    state: Type.optional(
      Type.word("Where the maintenance stands.", Object.values(ServerMaintenanceState), {
        added: ["Complete", "Completed"],
      }),
    ),
    conditions: Type.added(Type.conditionMap("What it waits for: consent, its turn, power.")),
    startTime: Type.added(Type.time("When the server was taken.")),
    completionTime: Type.added(Type.time("When the server was given back.")),
  }),
  selectableFields: [".spec.serverRef.name", ".status.state"],
  columns: [
    column("Server", ".spec.serverRef.name"),
    column("Policy", ".spec.policy"),
    column("BootConfiguration", ".spec.serverBootConfigurationTemplate.name"),
    column("Reason", ".metadata.annotations.metal\\.ironcore\\.dev\\/reason"),
    column("State", ".status.state"),
    column("Priority", ".spec.priority", { type: "integer" }),
    ageColumn,
    column("Type", ".spec.type", { priority: 1, added: true }),
  ],
});
export type ServerMaintenance = ObjectOf<typeof ServerMaintenance>;
