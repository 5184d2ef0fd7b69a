/** What a system says about how it starts. Decodes only; writing is boot.ts. */
import { readLink, readRecord, readString, readStrings, reported } from "../protocol/read.ts";

export interface BootSettings {
  readonly overrideEnabled?: string;
  readonly overrideTarget?: string;
  readonly overrideMode?: string;
  readonly httpBootUri?: string;
  /** What the BMC says it takes; empty when it does not say. */
  readonly allowedTargets: readonly string[];
  readonly order: readonly string[];
  readonly options?: string;
  /** Where changes go that take effect at the next start. */
  readonly settingsObject?: string;
}

export function bootSettingsOf(system: unknown): BootSettings {
  const boot = readRecord(system, "Boot");
  return {
    ...reported({
      overrideEnabled: readString(boot, "BootSourceOverrideEnabled"),
      overrideTarget: readString(boot, "BootSourceOverrideTarget"),
      overrideMode: readString(boot, "BootSourceOverrideMode"),
      httpBootUri: readString(boot, "HttpBootUri"),
      options: readLink(boot, "BootOptions"),
      settingsObject: settingsObjectOf(system),
    }),
    allowedTargets: readStrings(boot, "BootSourceOverrideTarget@Redfish.AllowableValues"),
    order: readStrings(boot, "BootOrder"),
  };
}

/** The address of a resource's settings object. */
export function settingsObjectOf(body: unknown): string | undefined {
  return readLink(readRecord(body, "@Redfish.Settings"), "SettingsObject");
}
