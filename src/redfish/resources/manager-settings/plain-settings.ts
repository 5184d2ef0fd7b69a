/** Attributes in the manager resource itself, with a registry of their own. */
import { failure, type Outcome, success } from "../../protocol/outcome.ts";
import type { CallOptions, RedfishService, Resource } from "../../protocol/service.ts";
import { readRegistry } from "../attribute-registry.ts";
import { type Values, validateChange } from "../attribute-validation.ts";
import { attributesOf } from "../bios.ts";
import { pendingOf, writeAttributes } from "./attribute-group.ts";
import type { ManagerSettings } from "./manager-settings.ts";

export async function plainSettings(
  service: RedfishService,
  manager: Resource,
  registries: string | undefined,
  options: CallOptions,
): Promise<Outcome<ManagerSettings>> {
  const current = attributesOf(manager.body);
  if (Object.keys(current).length === 0 || registries === undefined)
    return failure("NotSupported", `${manager.path} has no attributes`);
  const registry = await readRegistry(service, { registries, family: "BMCAttributeRegistry" }, options);
  if (!registry.ok) return registry;
  return success({
    read: async (wanted: Values) =>
      success(Object.fromEntries(Object.entries(current).filter(([name]) => name in wanted))),
    pending: (more: CallOptions = {}) => pendingOf(service, manager, more),
    check: (change: Values) => validateChange(registry.value, change, current, { unsaidNeedsReset: true }),
    write: (change: Values, more: CallOptions = {}) => writeAttributes(service, manager, change, more),
  });
}
