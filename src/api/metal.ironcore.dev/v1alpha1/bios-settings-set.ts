/** BIOSSettingsSet: the same BIOSSettings for every server that a selector selects. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { childColumns, childCounters, selectedServers } from "../../shapes/set-status.ts";
import { biosSettingsTemplate } from "./bios-settings.ts";
import { deprecationOf, metal } from "./group.ts";

export const BIOSSettingsSet = kind({
  ...metal,
  kind: "BIOSSettingsSet",
  plural: "biossettingssets",
  shortNames: ["biosss"],
  scope: "Cluster",
  describe: "Keeps one BIOSSettings per selected server.",
  deprecationWarning: deprecationOf("BIOSSettingsSet"),
  spec: Type.object("Which servers, which settings.", {
    serverSelector: Type.labelSelector("Servers that get the settings."),
    biosSettingsTemplate: Type.optional(Type.object("Spec of the BIOSSettings that are made.", biosSettingsTemplate)),
  }),
  status: Type.object("How far the set is.", {
    fullyLabeledServers: selectedServers,
    ...childCounters("BIOSSettings"),
  }),
  columns: [
    column("BIOSVersion", ".spec.biosSettingsTemplate.version"),
    column("TotalServers", ".status.fullyLabeledServers"),
    ...childColumns("BIOSSettings", "string"),
    ageColumn,
  ],
});
export type BIOSSettingsSet = ObjectOf<typeof BIOSSettingsSet>;
