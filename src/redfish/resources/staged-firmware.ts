/** Firmware that is on the BMC and waits for a restart. Pure: looks at an inventory that was read. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import type { StagedFirmware } from "../protocol/quirks.ts";
import type { RedfishService } from "../protocol/service.ts";
import type { FirmwareEntry } from "./firmware-inventory.ts";

/** The entries of a component that are staged; a failure where the vendor's inventory does not show it. */
export function stagedFirmware(
  { quirks }: RedfishService,
  component: "BIOS" | "BMC",
  inventory: readonly FirmwareEntry[],
): Outcome<readonly FirmwareEntry[]> {
  const how = quirks.stagedFirmware;
  if (!how) return failure("NotSupported", "this BMC does not show staged firmware");
  const ofComponent = inventory.filter((entry) => isComponent(how, component, entry));
  return success(ofComponent.filter((entry) => isStaged(how, entry)));
}

function isComponent(how: StagedFirmware, component: "BIOS" | "BMC", { id, name }: FirmwareEntry): boolean {
  const text = (how.by === "Id" ? id : name) ?? "";
  return (component === "BMC" ? how.bmc : how.bios).test(text);
}

function isStaged({ stagedState, stagedId }: StagedFirmware, { id, status }: FirmwareEntry): boolean {
  return (stagedState !== undefined && status.state === stagedState) || (stagedId?.test(id ?? "") ?? false);
}
