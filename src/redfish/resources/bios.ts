/** BIOS attributes: what is set, what waits for a restart, and how to change both. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import { type Json, readRecord, readString, readStrings } from "../protocol/read.ts";
import type { Accepted, CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { actionOf } from "./action.ts";
import { type AttributeRegistry, attributeValueOf, readRegistry } from "./attribute-registry.ts";
import { type ValidatedChange, type Values, validateChange } from "./attribute-validation.ts";
import { settingsObjectOf } from "./boot-settings.ts";
import { taskMonitorOf } from "./task.ts";

export interface BiosSettings {
  readonly bios: Resource;
  readonly registryName?: string;
  readonly current: Values;
}

export interface WrittenBios {
  /** The job that applies the change; undefined where there is none to watch. */
  readonly monitor?: string;
  /** What was sent; empty when everything was set already. */
  readonly sent: Values;
}

/** Attributes that firmware answers for although they read equal: always sent. */
const ALWAYS_SENT = /^BootTypeOrder/;

export async function readBios(
  service: RedfishService,
  path: string | undefined,
  options: CallOptions = {},
): Promise<Outcome<BiosSettings>> {
  if (path === undefined) return failure("NotSupported", "the system has no BIOS resource");
  const bios = await service.get(path, options);
  if (!bios.ok) return bios;
  const registryName = readString(bios.value.body, "AttributeRegistry");
  return success({
    bios: bios.value,
    current: attributesOf(bios.value.body),
    ...(registryName === undefined ? {} : { registryName }),
  });
}

export function readBiosRegistry(
  service: RedfishService,
  registries: string,
  { registryName }: BiosSettings,
  options: CallOptions = {},
): Promise<Outcome<AttributeRegistry>> {
  return readRegistry(service, { registries, name: registryName, family: "BiosAttributeRegistry" }, options);
}

/** What waits for a restart. Firmware that mirrors all current values there is seen through. */
export async function pendingBios(
  service: RedfishService,
  { bios, current }: BiosSettings,
  options: CallOptions = {},
): Promise<Outcome<Values>> {
  const path = settingsObjectOf(bios.body);
  if (path === undefined) return success({});
  const settings = await service.get(path, options);
  if (!settings.ok) return settings;
  return success(differing(attributesOf(settings.value.body), current));
}

function differing(pending: Values, current: Values): Values {
  const mirrors = Object.keys(pending).length === Object.keys(current).length;
  if (!mirrors) return pending;
  return Object.fromEntries(Object.entries(pending).filter(([name, value]) => current[name] !== value));
}

/** All problems of a change at once; a missing word on resets means that one is needed. */
export function checkBios(
  { quirks }: RedfishService,
  registry: AttributeRegistry,
  { current }: BiosSettings,
  change: Values,
): ValidatedChange {
  const alwaysReset = quirks.biosAlwaysResets === true;
  return validateChange(registry, change, current, { unsaidNeedsReset: true, alwaysReset });
}

/** Writes what differs to the settings object, to take effect at the next restart. */
export async function writeBios(
  service: RedfishService,
  { bios, current }: BiosSettings,
  change: Values,
  options: CallOptions = {},
): Promise<Outcome<WrittenBios>> {
  const changed = Object.entries(change).filter(([name, value]) => ALWAYS_SENT.test(name) || current[name] !== value);
  if (changed.length === 0) return success({ sent: {} });
  const target = await service.get(settingsObjectOf(bios.body) ?? bios.path, options);
  if (!target.ok) return target;
  const free = refuseSecondJob(service, target.value, current);
  if (!free.ok) return free;
  const sent = Object.fromEntries(changed);
  const written = await service.patch(target.value, { Attributes: sent, ...applyTime(bios) }, options);
  if (!written.ok) return written;
  const monitor = taskMonitorOf(service, written.value);
  return success({ sent, ...(monitor === undefined ? {} : { monitor }) });
}

/** Not said to firmware that lists the times it knows and does not list this one. */
function applyTime({ body }: Resource): Record<string, unknown> {
  const known = readStrings(readRecord(body, "@Redfish.Settings"), "SupportedApplyTimes");
  const takes = known.length === 0 || known.includes("OnReset");
  return takes ? { "@Redfish.SettingsApplyTime": { ApplyTime: "OnReset" } } : {};
}

/** Better said here than as a refusal that names neither the job nor the way out. */
function refuseSecondJob({ quirks }: RedfishService, settings: Resource, current: Values): Outcome<undefined> {
  if (!quirks.biosOneJobAtATime) return success(undefined);
  const waiting = Object.keys(differing(attributesOf(settings.body), current));
  if (waiting.length === 0) return success(undefined);
  return failure(
    "Busy",
    `${settings.path} has a job that waits for a restart (${waiting.join(", ")}): restart the system or drop what is pending first`,
  );
}

/** Forgets what waits for a restart. */
export async function dropPendingBios(
  service: RedfishService,
  { bios }: BiosSettings,
  options: CallOptions = {},
): Promise<Outcome<Accepted>> {
  const path = settingsObjectOf(bios.body);
  if (path === undefined) return failure("NotSupported", `${bios.path} has no settings object`);
  return service.delete(path, options);
}

/** Asks for the factory's settings at the next restart. */
export async function resetBios(
  service: RedfishService,
  { bios }: BiosSettings,
  options: CallOptions = {},
): Promise<Outcome<Accepted>> {
  const action = actionOf(bios, "#Bios.ResetBios");
  return action.ok ? service.post(action.value.target, {}, options) : action;
}

/** The attributes of a Bios or settings resource; values of odd types are left out. */
export function attributesOf(body: Json): Values {
  const entries = Object.entries(readRecord(body, "Attributes") ?? {}).flatMap(([name, value]) => {
    const known = attributeValueOf(value);
    return known === undefined ? [] : [[name, known] as const];
  });
  return Object.fromEntries(entries);
}
