/** Attributes of one resource with its settings object: read, pending, and written at once. */
import { type Outcome, success } from "../../protocol/outcome.ts";
import type { CallOptions, RedfishService, Resource } from "../../protocol/service.ts";
import type { Values } from "../attribute-validation.ts";
import { attributesOf } from "../bios.ts";
import { settingsObjectOf } from "../boot-settings.ts";

export async function pendingOf(
  service: RedfishService,
  resource: Resource,
  options: CallOptions,
): Promise<Outcome<Values>> {
  const path = settingsObjectOf(resource.body);
  if (path === undefined) return success({});
  const settings = await service.get(path, options);
  return settings.ok ? success(attributesOf(settings.value.body)) : settings;
}

export async function writeAttributes(
  service: RedfishService,
  resource: Resource,
  values: Values,
  options: CallOptions,
): Promise<Outcome<undefined>> {
  const target = await service.get(settingsObjectOf(resource.body) ?? resource.path, options);
  if (!target.ok) return target;
  const body = { Attributes: values, "@Redfish.SettingsApplyTime": { ApplyTime: "Immediate" } };
  const written = await service.patch(target.value, body, options);
  return written.ok ? success(undefined) : written;
}
