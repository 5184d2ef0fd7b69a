/** IPXEBootConfig: what one machine is served when it boots by iPXE. */
import { kind, type ObjectOf, Type } from "#kinds";
import { boot, bootColumns, bootStatus } from "./group.ts";

export const IPXEBootConfig = kind({
  ...boot,
  kind: "IPXEBootConfig",
  plural: "ipxebootconfigs",
  describe: "What one machine is served when it boots by iPXE.",
  spec: Type.object("The machine and its files.", {
    systemUUID: Type.optional(Type.string("UUID by which the machine is recognised.")),
    systemIPs: Type.optional(Type.list("Addresses the machine is known by.", Type.string("An IP address."))),
    image: Type.optional(Type.deprecated(Type.string("Image the files come from; never read."), "kernelURL")),
    kernelURL: Type.string("Address of the kernel.", { minLength: 1 }),
    initrdURL: Type.string("Address of the initial RAM disk.", { minLength: 1 }),
    squashfsURL: Type.optional(
      Type.string("Address of the root file system; empty for an image that is all in the RAM disk."),
    ),
    ipxeServerURL: Type.optional(
      Type.deprecated(Type.string("Address of the boot server; never read."), "the flags of the boot service"),
    ),
    ignitionSecretRef: Type.optional(Type.localObjectReference("Secret with the Ignition, in the same namespace.")),
    ipxeScriptSecretRef: Type.optional(
      Type.localObjectReference("Secret with an iPXE script that is served instead of the generated one."),
    ),
  }),
  status: bootStatus,
  selectableFields: [".spec.systemUUID", ".status.state"],
  columns: bootColumns,
});
export type IPXEBootConfig = ObjectOf<typeof IPXEBootConfig>;
