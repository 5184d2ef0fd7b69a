/** BIOSVersionSet: the same BIOSVersion for every server that a selector selects. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { versionTemplate } from "../../shapes/firmware.ts";
import { childColumns, childCounters, selectedServers } from "../../shapes/set-status.ts";
import { deprecationOf, metal } from "./group.ts";

export const BIOSVersionSet = kind({
  ...metal,
  kind: "BIOSVersionSet",
  plural: "biosversionsets",
  shortNames: ["biosvs"],
  scope: "Cluster",
  describe: "Keeps one BIOSVersion per selected server.",
  deprecationWarning: deprecationOf("BIOSVersionSet"),
  spec: Type.object("Which servers, which version.", {
    serverSelector: Type.labelSelector("Servers that are upgraded."),
    biosVersionTemplate: Type.optional(Type.object("Spec of the BIOSVersions that are made.", versionTemplate)),
  }),
  status: Type.object("How far the set is.", {
    fullyLabeledServers: selectedServers,
    ...childCounters("BIOSVersion"),
  }),
  columns: [
    column("BIOSVersion", ".spec.biosVersionTemplate.version"),
    column("selectedServers", ".status.fullyLabeledServers", { type: "integer" }),
    ...childColumns("BIOSVersion", "integer"),
    ageColumn,
  ],
});
export type BIOSVersionSet = ObjectOf<typeof BIOSVersionSet>;
