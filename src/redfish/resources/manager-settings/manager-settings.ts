/** A manager's own settings, whichever way its vendor keeps them: by attribute, or by the resource that has them. */
import { failure, type Outcome, success } from "../../protocol/outcome.ts";
import type { CallOptions, RedfishService, Resource } from "../../protocol/service.ts";
import type { ValidatedChange, Values } from "../attribute-validation.ts";
import { dellSettings } from "./dell-settings.ts";
import { plainSettings } from "./plain-settings.ts";
import { uriSettings } from "./uri-settings.ts";

/** One vendor's way. Settings are named as people write them in a BMCSettings object. */
export interface ManagerSettings {
  /** The current values of these, in terms that can be compared with what is wanted. */
  read(wanted: Values, options?: CallOptions): Promise<Outcome<Values>>;
  /** What waits for a restart of the manager. */
  pending(options?: CallOptions): Promise<Outcome<Values>>;
  /** All problems of a change at once. */
  check(change: Values): ValidatedChange;
  write(change: Values, options?: CallOptions): Promise<Outcome<undefined>>;
}

/** Opens the settings of a manager as it was just read. */
export async function openManagerSettings(
  service: RedfishService,
  manager: Resource,
  registries: string | undefined,
  options: CallOptions = {},
): Promise<Outcome<ManagerSettings>> {
  switch (service.quirks.managerAttributes) {
    case "dell":
      return dellSettings(service, manager, registries, options);
    case "uri":
      return success(uriSettings(service));
    case "manager":
      return plainSettings(service, manager, registries, options);
    default:
      return failure("NotSupported", `${manager.path}: no way is known to change the settings of this manager`);
  }
}
