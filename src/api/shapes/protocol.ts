/** How a BMC is spoken to. */
import { Type } from "#kinds";

export function protocol(description: string) {
  return Type.object(description, {
    name: Type.word("Protocol spoken to the BMC.", [
      "Redfish",
      "RedfishLocal",
      "RedfishWithRegistryPatch",
      "IPMI",
      "SSH",
    ]),
    port: Type.integer("TCP port the BMC listens on, usually 443."),
    scheme: Type.optional(Type.word("URL scheme; empty uses the operator's default.", ["http", "https"])),
  });
}
