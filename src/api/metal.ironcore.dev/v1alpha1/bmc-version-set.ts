/** BMCVersionSet: the same BMCVersion for every BMC that a selector selects. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { versionTemplate } from "../../shapes/firmware.ts";
import { childColumns, childCounters, selectedBMCs } from "../../shapes/set-status.ts";
import { deprecationOf, metal } from "./group.ts";

export const BMCVersionSet = kind({
  ...metal,
  kind: "BMCVersionSet",
  plural: "bmcversionsets",
  shortNames: ["bmcvs"],
  scope: "Cluster",
  describe: "Keeps one BMCVersion per selected BMC.",
  deprecationWarning: deprecationOf("BMCVersionSet"),
  spec: Type.object("Which BMCs, which version.", {
    bmcSelector: Type.labelSelector("BMCs that are upgraded."),
    bmcVersionTemplate: Type.optional(Type.object("Spec of the BMCVersions that are made.", versionTemplate)),
  }),
  status: Type.object("How far the set is.", { fullyLabeledBMCs: selectedBMCs, ...childCounters("BMCVersion") }),
  columns: [
    column("BMCVersion", ".spec.bmcVersionTemplate.version"),
    column("selectedBMCs", ".status.fullyLabeledBMCs", { type: "integer" }),
    ...childColumns("BMCVersion", "integer"),
    ageColumn,
  ],
});
export type BMCVersionSet = ObjectOf<typeof BMCVersionSet>;
