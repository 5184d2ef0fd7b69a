/** ServerReadinessRule: keeps a taint on servers until their conditions are as they should be. */
import { kind, type ObjectOf, Type } from "#kinds";
import { taint } from "../../shapes/taint.ts";
import { metal } from "./group.ts";

const requirement = Type.object("A condition and the status it must have.", {
  type: Type.string("Type of the condition on the server.", { minLength: 1, maxLength: 316 }),
  requiredStatus: Type.choice("Status the condition must have.", ["True", "False", "Unknown"]),
});

const managedTaint = Type.ruled(
  taint("Taint the server carries while a condition is not as required."),
  Type.rule("self.key.size() <= 253", "taint key length must be at most 253 characters"),
  Type.fieldImmutable("key", "taint key is immutable"),
  Type.fieldImmutable("effect", "taint effect is immutable"),
  Type.fieldImmutable("value", "taint value is immutable"),
);

export const ServerReadinessRule = kind({
  ...metal,
  kind: "ServerReadinessRule",
  plural: "serverreadinessrules",
  scope: "Cluster",
  describe: "Keeps a taint on the selected servers until their conditions are as required.",
  specRequired: true,
  spec: Type.object("Which conditions, which servers, which taint.", {
    conditions: Type.immutable(
      Type.listMap("Conditions a server must have; all of them.", requirement, ["type"], {
        minItems: 1,
        maxItems: 32,
      }),
      "conditions is immutable",
    ),
    enforcementMode: Type.immutable(
      Type.choice("BootstrapOnly forgets a server once it was ready, Continuous taints it again.", [
        "BootstrapOnly",
        "Continuous",
      ]),
      "enforcementMode is immutable",
    ),
    taint: managedTaint,
    serverSelector: Type.immutable(
      Type.labelSelector("Servers the rule is for; empty means all."),
      "serverSelector is immutable",
    ),
  }),
  status: Type.object("How the rule does.", {
    conditions: Type.optional(Type.conditionMap("Observations about the rule.")),
  }),
});
export type ServerReadinessRule = ObjectOf<typeof ServerReadinessRule>;
