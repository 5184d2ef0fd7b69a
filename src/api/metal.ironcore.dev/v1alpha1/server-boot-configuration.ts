/** ServerBootConfiguration: what a server boots. The boot service answers it with a state. */
import { ageColumn, column, kind, type ObjectOf, Type } from "#kinds";
import { BootState } from "../../names/states.ts";
import { metal } from "./group.ts";

const bootMethods = ["IPXE", "HTTP"] as const;

/** Also the template inside a ServerMaintenance. */
export const serverBootConfigurationSpec = Type.object("What the server boots.", {
  serverRef: Type.localObjectReference("Server that boots with this configuration."),
  image: Type.optional(Type.string("Image to boot, as an OCI reference.")),
  ignitionSecretRef: Type.optional(Type.localObjectReference("Secret with the Ignition, in the same namespace.")),
  bootMethod: Type.added(Type.choice("How the firmware fetches the image; absent prepares every method.", bootMethods)),
});

export const ServerBootConfiguration = kind({
  ...metal,
  kind: "ServerBootConfiguration",
  plural: "serverbootconfigurations",
  shortNames: ["sbc"],
  scope: "Namespaced",
  describe: "What a server boots: image and Ignition. A server is powered on only once it is Ready.",
  spec: serverBootConfigurationSpec,
  status: Type.object("Whether the boot service can serve it.", {
    state: Type.optional(Type.word("Ready once everything the machine will fetch is there.", Object.values(BootState))),
    conditions: Type.optional(Type.conditions("What is prepared, what is missing, and what the machine reported.")),
    bootMethod: Type.added(Type.word("How the machine was last seen to boot.", bootMethods)),
  }),
  selectableFields: [".spec.serverRef.name", ".status.state"],
  columns: [
    column("ServerRef", ".spec.serverRef.name"),
    column("Image", ".spec.image"),
    column("IgnitionRef", ".spec.ignitionSecretRef.name"),
    column("State", ".status.state"),
    ageColumn,
  ],
});
export type ServerBootConfiguration = ObjectOf<typeof ServerBootConfiguration>;
