/** Finalizers: the word each controller says before an object may go. Compatibility surface, never renamed. */

export const Finalizer = {
  Server: "metal.ironcore.dev/server",
  ServerClaim: "metal.ironcore.dev/serverclaim",
  ServerMaintenance: "metal.ironcore.dev/servermaintenance",
  ServerReadinessRule: "readiness.metal.ironcore.dev/cleanup-taints",
  Endpoint: "metal.ironcore.dev/endpoint",
  BMC: "metal.ironcore.dev/bmc",
  BMCUser: "metal.ironcore.dev/bmcuser",
  BIOSSettings: "metal.ironcore.dev/biossettings",
  BIOSSettingsSet: "metal.ironcore.dev/biossettingsset",
  BIOSVersion: "metal.ironcore.dev/biosversion",
  BIOSVersionSet: "metal.ironcore.dev/biosversionset",
  BMCSettings: "metal.ironcore.dev/bmcsettings",
  BMCSettingsSet: "metal.ironcore.dev/bmcsettingsset",
  BMCVersion: "metal.ironcore.dev/bmcversion",
  BMCVersionSet: "metal.ironcore.dev/bmcversionset",
} as const;
export type Finalizer = (typeof Finalizer)[keyof typeof Finalizer];
