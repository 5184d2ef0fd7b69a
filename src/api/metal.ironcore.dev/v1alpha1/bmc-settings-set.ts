/** BMCSettingsSet: the same BMCSettings for every BMC that a selector selects. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { childColumns, childCounters, selectedBMCs } from "../../shapes/set-status.ts";
import { uniqueVariableKeys } from "../../shapes/settings.ts";
import { bmcSettingsTemplate } from "./bmc-settings.ts";
import { deprecationOf, metal } from "./group.ts";

export const BMCSettingsSet = kind({
  ...metal,
  kind: "BMCSettingsSet",
  plural: "bmcsettingssets",
  scope: "Cluster",
  describe: "Keeps one BMCSettings per selected BMC.",
  deprecationWarning: deprecationOf("BMCSettingsSet"),
  spec: Type.object("Which BMCs, which settings.", {
    bmcSelector: Type.labelSelector("BMCs that get the settings."),
    bmcSettingsTemplate: Type.ruled(
      Type.object("Spec of the BMCSettings that are made.", bmcSettingsTemplate),
      uniqueVariableKeys,
    ),
  }),
  status: Type.object("How far the set is.", { fullyLabeledBMCs: selectedBMCs, ...childCounters("BMCSettings") }),
  columns: [
    column("BMCVersion", ".spec.bmcSettingsTemplate.version"),
    column("TotalBMCs", ".status.fullyLabeledBMCs", { type: "integer" }),
    ...childColumns("BMCSettings", "integer"),
    ageColumn,
  ],
});
export type BMCSettingsSet = ObjectOf<typeof BMCSettingsSet>;
