/** Every kind we define, in the order in which documentation shows them. A new kind is registered here and nowhere else. */
import type { DefinedKind } from "#kinds";
import { HTTPBootConfig, IPXEBootConfig } from "./boot.ironcore.dev/v1alpha1/index.ts";
import {
  BIOSSettings,
  BIOSSettingsSet,
  BIOSVersion,
  BIOSVersionSet,
  BMC,
  BMCSecret,
  BMCSettings,
  BMCSettingsSet,
  BMCUser,
  BMCVersion,
  BMCVersionSet,
  Endpoint,
  Server,
  ServerBootConfiguration,
  ServerClaim,
  ServerMaintenance,
  ServerReadinessRule,
} from "./metal.ironcore.dev/v1alpha1/index.ts";

export const allKinds: readonly DefinedKind[] = [
  Endpoint,
  BMC,
  BMCSecret,
  BMCUser,
  Server,
  ServerClaim,
  ServerBootConfiguration,
  ServerReadinessRule,
  ServerMaintenance,
  BIOSSettings,
  BIOSSettingsSet,
  BIOSVersion,
  BIOSVersionSet,
  BMCSettings,
  BMCSettingsSet,
  BMCVersion,
  BMCVersionSet,
  IPXEBootConfig,
  HTTPBootConfig,
];
