/** ServerClaim: the reservation of one server by its owner. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { Power, ServerClaimPhase } from "../../names/states.ts";
import { toleration } from "../../shapes/taint.ts";
import { metal } from "./group.ts";

const spec = Type.object("Which server is wanted and what it shall run.", {
  power: Type.word("Desired power of the bound server; empty leaves it alone.", Object.values(Power)),
  serverRef: Type.optional(
    Type.immutable(
      Type.localObjectReference("The server, chosen by name or filled in when one was selected."),
      "serverRef is immutable",
    ),
  ),
  serverSelector: Type.optional(
    Type.immutable(
      Type.labelSelector("Which servers may be chosen; absent allows every one."),
      "serverSelector is immutable",
    ),
  ),
  ignitionSecretRef: Type.optional(
    Type.localObjectReference("Secret with the Ignition the machine gets at its first boot."),
  ),
  userDataRef: Type.optional(
    Type.localObjectReference("Secret of type metal.ironcore.dev/user-data that the running machine may read."),
  ),
  image: Type.string("Image to boot, as an OCI reference; may be empty."),
  tolerations: Type.optional(Type.list("Taints of a server this claim puts up with.", toleration("One toleration."))),
});

export const ServerClaim = kind({
  ...metal,
  kind: "ServerClaim",
  plural: "serverclaims",
  shortNames: ["scl"],
  scope: "Namespaced",
  describe: "Reserves one server for its owner and says what it shall run.",
  spec: Type.ruled(spec, Type.requiredOnceSet("serverRef"), Type.requiredOnceSet("serverSelector")),
  status: Type.object("Whether a server was found.", {
    phase: Type.optional(Type.word("Bound once a server is reserved.", Object.values(ServerClaimPhase))),
    conditions: Type.added(Type.conditionMap("Why the claim waits, and how far the machine is.")),
  }),
  selectableFields: [".spec.serverRef.name", ".status.phase"],
  columns: [
    column("Server", ".spec.serverRef.name"),
    column("Ignition", ".spec.ignitionSecretRef.name"),
    column("Image", ".spec.image"),
    column("Phase", ".status.phase"),
    ageColumn,
  ],
});
export type ServerClaim = ObjectOf<typeof ServerClaim>;
