/** The states and other well-known words of spec and status. Open vocabularies: readers meet others and pass them on. */

type ValueOf<T> = T[keyof T];

export const ServerState = {
  Initial: "Initial",
  Discovery: "Discovery",
  Available: "Available",
  Reserved: "Reserved",
  Released: "Released",
  Error: "Error",
  Maintenance: "Maintenance",
  Parked: "Parked",
  /** Between tenants: disks are being wiped. Ours. */
  Cleanup: "Cleanup",
  /** Retired; nothing touches it any more. Ours. */
  Decommissioned: "Decommissioned",
} as const;
export type ServerState = ValueOf<typeof ServerState>;

export const PowerState = {
  On: "On",
  Off: "Off",
  Paused: "Paused",
  PoweringOn: "PoweringOn",
  PoweringOff: "PoweringOff",
  Unknown: "Unknown",
} as const;
export type PowerState = ValueOf<typeof PowerState>;

/** What may be wished for. */
export const Power = { On: "On", Off: "Off" } as const;
export type Power = ValueOf<typeof Power>;

export const IndicatorLED = { Unknown: "Unknown", Lit: "Lit", Blinking: "Blinking", Off: "Off" } as const;
export type IndicatorLED = ValueOf<typeof IndicatorLED>;

export const BMCState = { Enabled: "Enabled", Error: "Error", Pending: "Pending" } as const;
export type BMCState = ValueOf<typeof BMCState>;

export const ServerClaimPhase = { Bound: "Bound", Unbound: "Unbound" } as const;
export type ServerClaimPhase = ValueOf<typeof ServerClaimPhase>;

/** Of a ServerBootConfiguration, an IPXEBootConfig and an HTTPBootConfig. */
export const BootState = { Pending: "Pending", Ready: "Ready", Error: "Error" } as const;
export type BootState = ValueOf<typeof BootState>;

export const ServerMaintenanceState = {
  Pending: "Pending",
  InMaintenance: "InMaintenance",
  Failed: "Failed",
  /** Terminal success without deleting the object. Ours. */
  Complete: "Complete",
  /** Another spelling of Complete, understood and never written. Ours. */
  Completed: "Completed",
} as const;
export type ServerMaintenanceState = ValueOf<typeof ServerMaintenanceState>;

/** Of BIOSSettings, their flow items and BMCSettings. */
export const SettingsState = {
  Pending: "Pending",
  InProgress: "InProgress",
  Applied: "Applied",
  Failed: "Failed",
} as const;
export type SettingsState = ValueOf<typeof SettingsState>;

/** Of BIOSVersion and BMCVersion. */
export const VersionState = {
  Pending: "Pending",
  InProgress: "InProgress",
  Completed: "Completed",
  Failed: "Failed",
} as const;
export type VersionState = ValueOf<typeof VersionState>;

export const MaintenancePolicy = { OwnerApproval: "OwnerApproval", Enforced: "Enforced" } as const;
export type MaintenancePolicy = ValueOf<typeof MaintenancePolicy>;

/** How thoroughly a disk is emptied between tenants. */
export const CleanupPolicy = { None: "None", Quick: "Quick", Secure: "Secure" } as const;
export type CleanupPolicy = ValueOf<typeof CleanupPolicy>;
