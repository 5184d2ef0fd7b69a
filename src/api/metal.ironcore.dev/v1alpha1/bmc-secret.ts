/** BMCSecret: credentials of a BMC, shaped like a core Secret but cluster-scoped. */
import { ageColumn, kind, type ObjectOf, Type } from "#kinds";
import { metal } from "./group.ts";

export const BMCSecret = kind({
  ...metal,
  kind: "BMCSecret",
  plural: "bmcsecrets",
  shortNames: ["bmcsec"],
  scope: "Cluster",
  describe: "Credentials of a BMC: username and password, or a pointer to the Secret that holds them.",
  fields: {
    immutable: Type.optional(Type.boolean("True forbids every later change of data and stringData.")),
    data: Type.optional(
      Type.map(
        "Values in base64; the keys username and password are read.",
        Type.string("Base64.", { format: "byte" }),
      ),
    ),
    stringData: Type.optional(
      Type.map(
        "Values in plain text, stored and shown as they are; data wins over it.",
        Type.string("A value in plain text."),
      ),
    ),
    type: Type.optional(Type.string("Free text for people and tools; nothing depends on it.")),
    secretRef: Type.added(
      Type.secretReference(
        "Core Secret with the keys username and password, read instead of data and stringData, so that values can stay encrypted at rest.",
      ),
    ),
  },
  columns: [ageColumn],
});
export type BMCSecret = ObjectOf<typeof BMCSecret>;
