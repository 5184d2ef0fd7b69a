/** BMCSettings: settings of one BMC. */
import { column, kind, type ObjectOf, Type } from "#kinds";
import { maintenancePolicy, retryPolicy } from "../../shapes/maintenance.ts";
import { bmcSettings, settingsProgress, uniqueVariableKeys, variables } from "../../shapes/settings.ts";
import { deprecationOf, metal } from "./group.ts";

/** The part of the spec that a BMCSettingsSet repeats in its template. */
export const bmcSettingsTemplate = {
  version: Type.string("BMC firmware these settings are for; with another one they wait."),
  settings: bmcSettings,
  variables,
  retryPolicy,
  serverMaintenancePolicy: maintenancePolicy,
};

const maintenanceRef = Type.object("The maintenance of one server.", {
  serverMaintenanceRef: Type.optional(Type.objectReference("ServerMaintenance of a server behind the BMC.")),
});

const spec = Type.object("The settings wanted.", {
  ...bmcSettingsTemplate,
  serverMaintenanceRefs: Type.optional(
    Type.list("Maintenances in use, one per server behind the BMC; written by the controller.", maintenanceRef),
  ),
  BMCRef: Type.immutable(Type.localObjectReference("BMC the settings are for."), "BMCRef is immutable"),
});

export const BMCSettings = kind({
  ...metal,
  kind: "BMCSettings",
  plural: "bmcsettings",
  scope: "Cluster",
  describe: "Settings of one BMC, applied while its servers are in maintenance.",
  deprecationWarning: deprecationOf("BMCSettings"),
  spec: Type.ruled(spec, uniqueVariableKeys),
  status: Type.object("How far applying is.", settingsProgress),
  columns: [
    column("BMCVersion", ".spec.version"),
    column("State", ".status.state"),
    column("BMCRef", ".spec.BMCRef.name"),
  ],
});
export type BMCSettings = ObjectOf<typeof BMCSettings>;
