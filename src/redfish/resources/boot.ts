/** Where a system starts from: once, from now on, or in which order. Every write is read back, because firmware lies. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import type { CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { type BootSettings, bootSettingsOf } from "./boot-settings.ts";

export interface BootOverride {
  /** Pxe, UefiHttp, Cd, Hdd, BiosSetup, None, …: as the standard spells them. */
  readonly target: string;
  readonly lasts: "Once" | "Continuous" | "Disabled";
  /** UEFI unless said otherwise. */
  readonly mode?: "UEFI" | "Legacy";
  /** What a UefiHttp boot fetches. */
  readonly httpBootUri?: string;
}

export interface ArmedBoot {
  readonly settings: BootSettings;
  /** The override outlives the boot it was for: disarm it once the machine has started. */
  readonly disarmAfterBoot: boolean;
}

/** Asks for a boot override on the system as it was just read, and sees that it was taken. */
export async function setBootOverride(
  service: RedfishService,
  system: Resource,
  override: BootOverride,
  options: CallOptions = {},
): Promise<Outcome<ArmedBoot>> {
  const current = bootSettingsOf(system.body);
  const { allowedTargets } = current;
  if (allowedTargets.length > 0 && !allowedTargets.includes(override.target))
    return failure(
      "NotSupported",
      `${system.path} can start from ${allowedTargets.join(", ")} and not ${override.target}`,
    );
  const body = { Boot: overrideBody(service, current, override) };
  const written = await writeOverride(service, system, body, options);
  if (!written.ok) return written;
  const seen = await service.get(system.path, options);
  if (!seen.ok) return seen;
  const settings = bootSettingsOf(seen.value.body);
  const disarmAfterBoot = service.quirks.bootOverrideSticks === true && override.lasts === "Once";
  const shown = service.quirks.bootOverrideShownContinuous
    ? { ...settings, overrideEnabled: override.lasts }
    : settings;
  return isTaken(shown, override) ? success({ settings, disarmAfterBoot }) : notTaken(system, settings, override);
}

/** The settings object first where firmware ignores the other way; as a second try elsewhere. */
async function writeOverride(
  service: RedfishService,
  system: Resource,
  body: unknown,
  options: CallOptions,
): Promise<Outcome<unknown>> {
  const { settingsObject } = bootSettingsOf(system.body);
  const toSettings = async (path: string): Promise<Outcome<unknown>> => {
    const settings = await service.get(path, options);
    return settings.ok ? service.patch(settings.value, body, options) : settings;
  };
  if (settingsObject !== undefined && service.quirks.bootOverrideInSettings) return toSettings(settingsObject);
  const direct = await service.patch(system, body, options);
  if (direct.ok || settingsObject === undefined || !isRefusal(direct.failure.code)) return direct;
  return toSettings(settingsObject);
}

function isRefusal(code: string): boolean {
  return code === "Refused" || code === "NotSupported" || code === "PreconditionFailed" || code === "ServerError";
}

function overrideBody(
  service: RedfishService,
  { overrideMode }: BootSettings,
  { target, lasts, mode = "UEFI", httpBootUri }: BootOverride,
): Record<string, unknown> {
  return {
    BootSourceOverrideEnabled: lasts,
    ...(lasts === "Disabled" ? {} : { BootSourceOverrideTarget: target }),
    ...(lasts !== "Disabled" && sendsMode(service, overrideMode, mode) ? { BootSourceOverrideMode: mode } : {}),
    ...(httpBootUri === undefined ? {} : { HttpBootUri: httpBootUri }),
  };
}

/** A BMC that does not report a mode does not take one either. */
function sendsMode({ quirks }: RedfishService, reported: string | undefined, wanted: string): boolean {
  if (reported === undefined || quirks.bootMode === "never") return false;
  return quirks.bootMode === "whenReported" || reported !== wanted;
}

function isTaken({ overrideEnabled, overrideTarget }: BootSettings, { lasts, target }: BootOverride): boolean {
  if (lasts === "Disabled") return overrideEnabled === "Disabled" || overrideTarget === "None";
  return overrideEnabled === lasts && overrideTarget === target;
}

function notTaken(system: Resource, settings: BootSettings, { target, lasts }: BootOverride): Outcome<never> {
  const { overrideEnabled = "nothing", overrideTarget = "nothing" } = settings;
  return failure(
    "Refused",
    `${system.path} took a boot override to ${target} (${lasts}) without complaint and shows ${overrideTarget} (${overrideEnabled})`,
  );
}

/** Sets the persistent order; the override is switched off with it, because it would win. */
export async function setBootOrder(
  service: RedfishService,
  system: Resource,
  order: readonly string[],
  options: CallOptions = {},
): Promise<Outcome<BootSettings>> {
  const { order: known } = bootSettingsOf(system.body);
  if (known.length === 0) return failure("NotSupported", `${system.path} shows no boot order that could be changed`);
  const unknown = order.filter((option) => !known.includes(option));
  if (unknown.length > 0)
    return failure("Refused", `${system.path} knows no boot option ${unknown.join(", ")}; it has ${known.join(", ")}`);
  if (service.quirks.bootOrderReadOnly)
    return failure("NotSupported", `${system.path} shows its boot order and does not let it be changed`);
  const Boot = {
    BootSourceOverrideEnabled: "Continuous",
    BootSourceOverrideTarget: "None",
    BootOrder: order,
  };
  const written = await service.patch(system, { Boot }, options);
  if (!written.ok) return written;
  const seen = await service.get(system.path, options);
  return seen.ok ? success(bootSettingsOf(seen.value.body)) : seen;
}

/** The options that were in the order and are not any more; looked for only where firmware is known to lose them. */
export function lostBootOptions(
  { quirks }: RedfishService,
  wanted: readonly string[],
  { order }: BootSettings,
): readonly string[] {
  return quirks.bootOrderDrifts ? wanted.filter((option) => !order.includes(option)) : [];
}
