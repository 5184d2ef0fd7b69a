/** BIOSVersion: the BIOS one server shall run. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { versionStatus, versionTemplate } from "../../shapes/firmware.ts";
import { deprecationOf, metal } from "./group.ts";

export const BIOSVersion = kind({
  ...metal,
  kind: "BIOSVersion",
  plural: "biosversions",
  shortNames: ["biosv"],
  scope: "Cluster",
  describe: "The BIOS one server shall run, and the upgrade that gets it there.",
  deprecationWarning: deprecationOf("BIOSVersion"),
  spec: Type.object("The version wanted.", {
    ...versionTemplate,
    serverMaintenanceRef: Type.optional(
      Type.objectReference("ServerMaintenance in use; written by the controller unless given."),
    ),
    serverRef: Type.optional(
      Type.immutable(Type.localObjectReference("Server that is upgraded."), "serverRef is immutable"),
    ),
  }),
  status: versionStatus,
  columns: [
    column("BIOSVersion", ".spec.version"),
    column("UpdatePolicy", ".spec.updatePolicy"),
    column("ServerRef", ".spec.serverRef.name"),
    column("ServerMaintenanceRef", ".spec.serverMaintenanceRef.name"),
    column("TaskState", ".status.upgradeTask.state"),
    column("TaskStatus", ".status.upgradeTask.status"),
    column("TaskProgress", ".status.upgradeTask.percentageComplete", { type: "integer" }),
    column("State", ".status.state"),
    ageColumn,
  ],
});
export type BIOSVersion = ObjectOf<typeof BIOSVersion>;
