/** BMCVersion: the firmware one BMC shall run. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { versionStatus, versionTemplate } from "../../shapes/firmware.ts";
import { deprecationOf, metal } from "./group.ts";

export const BMCVersion = kind({
  ...metal,
  kind: "BMCVersion",
  plural: "bmcversions",
  shortNames: ["bmcv"],
  scope: "Cluster",
  describe: "The firmware one BMC shall run, and the upgrade that gets it there.",
  deprecationWarning: deprecationOf("BMCVersion"),
  spec: Type.object("The version wanted.", {
    ...versionTemplate,
    serverMaintenanceRefs: Type.optional(
      Type.list(
        "Maintenances in use, one per server behind the BMC; written by the controller.",
        Type.objectReference("ServerMaintenance of a server behind the BMC."),
      ),
    ),
    bmcRef: Type.optional(Type.immutable(Type.localObjectReference("BMC that is upgraded."), "bmcRef is immutable")),
  }),
  status: versionStatus,
  columns: [
    column("BMCVersion", ".spec.version"),
    column("UpdatePolicy", ".spec.updatePolicy"),
    column("BMCRef", ".spec.bmcRef.name"),
    column("TaskProgress", ".status.upgradeTask.percentageComplete", { type: "integer" }),
    column("TaskState", ".status.upgradeTask.state"),
    column("TaskStatus", ".status.upgradeTask.status"),
    column("State", ".status.state"),
    ageColumn,
  ],
});
export type BMCVersion = ObjectOf<typeof BMCVersion>;
