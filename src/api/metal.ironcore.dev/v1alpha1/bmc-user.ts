/** BMCUser: an account on a BMC whose password is kept and rotated. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { deprecationOf, metal } from "./group.ts";

export const BMCUser = kind({
  ...metal,
  kind: "BMCUser",
  plural: "bmcusers",
  shortNames: ["bmcu"],
  scope: "Cluster",
  describe: "An account on a BMC; its password is generated, kept in a BMCSecret and rotated.",
  deprecationWarning: deprecationOf("BMCUser"),
  spec: Type.object("The account wanted.", {
    userName: Type.string("Name of the account."),
    roleID: Type.string("Redfish role of the account, for example Administrator or ReadOnly."),
    description: Type.optional(Type.string("What the account is for.")),
    rotationPeriod: Type.optional(
      Type.string("How long a password is used, as a Go duration such as 720h; absent never rotates."),
    ),
    bmcSecretRef: Type.optional(
      Type.localObjectReference("BMCSecret with the wanted password; written by the controller when it makes one."),
    ),
    bmcRef: Type.optional(Type.localObjectReference("BMC the account is on; without it nothing happens.")),
  }),
  status: Type.object("The account as it is.", {
    effectiveBMCSecretRef: Type.optional(Type.localObjectReference("BMCSecret that was last seen to log in.")),
    lastRotation: Type.optional(Type.time("When the password was last changed.")),
    passwordExpiration: Type.optional(Type.time("When the BMC lets the password expire.")),
    id: Type.optional(Type.string("Identifier of the account on the BMC.")),
  }),
  columns: [
    column("ID", ".status.id"),
    column("UserName", ".spec.userName"),
    column("RoleID", ".spec.roleID"),
    column("LastRotation", ".status.lastRotation", { type: "date" }),
    column("PasswordExpiration", ".status.passwordExpiration", { type: "date" }),
    ageColumn,
  ],
});
export type BMCUser = ObjectOf<typeof BMCUser>;
