/** HTTPBootConfig: what one machine is served when its firmware boots by HTTP. */
import { kind, type ObjectOf, Type } from "#kinds";
import { boot, bootColumns, bootStatus } from "./group.ts";

export const HTTPBootConfig = kind({
  ...boot,
  kind: "HTTPBootConfig",
  plural: "httpbootconfigs",
  describe: "What one machine is served when its firmware boots by HTTP.",
  spec: Type.object("The machine and its file.", {
    systemUUID: Type.optional(Type.string("UUID by which the machine is recognised.")),
    ignitionSecretRef: Type.optional(Type.localObjectReference("Secret with the Ignition, in the same namespace.")),
    networkIdentifiers: Type.optional(
      Type.list("IP and MAC addresses by which the machine is recognised.", Type.string("An IP or MAC address.")),
    ),
    ukiURL: Type.optional(Type.string("Address of the unified kernel image the firmware loads.")),
  }),
  status: bootStatus,
  selectableFields: [".spec.systemUUID", ".status.state"],
  columns: bootColumns,
});
export type HTTPBootConfig = ObjectOf<typeof HTTPBootConfig>;
