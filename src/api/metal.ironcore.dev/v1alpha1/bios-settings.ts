/** BIOSSettings: firmware settings of one server. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { SettingsState } from "../../names/states.ts";
import { maintenancePolicy, retryPolicy } from "../../shapes/maintenance.ts";
import { settingsFlow, settingsProgress } from "../../shapes/settings.ts";
import { deprecationOf, metal } from "./group.ts";

/** The part of the spec that a BIOSSettingsSet repeats in its template. */
export const biosSettingsTemplate = {
  version: Type.string("BIOS version these settings are for; with another one they wait."),
  settingsFlow,
  retryPolicy,
  serverMaintenancePolicy: maintenancePolicy,
};

const flowState = Type.object("How far one batch is.", {
  name: Type.optional(Type.string("Name of the batch.")),
  priority: Type.optional(Type.integer("Priority of the batch.")),
  flowState: Type.optional(Type.word("Where the batch stands.", Object.values(SettingsState))),
  conditions: Type.optional(Type.conditions("The steps of this batch.")),
  lastAppliedTime: Type.optional(Type.time("When the batch was applied.")),
});

export const BIOSSettings = kind({
  ...metal,
  kind: "BIOSSettings",
  plural: "biossettings",
  shortNames: ["bioss"],
  scope: "Cluster",
  describe: "Firmware settings of one server, applied in batches during a maintenance.",
  deprecationWarning: deprecationOf("BIOSSettings"),
  spec: Type.object("The settings wanted.", {
    ...biosSettingsTemplate,
    serverMaintenanceRef: Type.optional(
      Type.objectReference("ServerMaintenance in use; written by the controller unless given."),
    ),
    serverRef: Type.optional(
      Type.immutable(
        Type.localObjectReference("Server the settings are for; without it nothing happens."),
        "serverRef is immutable",
      ),
    ),
  }),
  status: Type.object("How far applying is.", {
    ...settingsProgress,
    flowState: Type.optional(Type.list("One entry per batch that was started.", flowState)),
    lastAppliedTime: Type.optional(Type.time("When all batches were applied; gone while they are not.")),
  }),
  columns: [
    column("BIOSVersion", ".spec.version"),
    column("ServerRef", ".spec.serverRef.name"),
    column("ServerMaintenanceRef", ".spec.serverMaintenanceRef.name"),
    column("State", ".status.state"),
    column("AppliedOn", ".status.lastAppliedTime", { type: "date" }),
    ageColumn,
  ],
});
export type BIOSSettings = ObjectOf<typeof BIOSSettings>;
