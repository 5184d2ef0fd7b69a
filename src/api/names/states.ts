/** The states and other well-known words of spec and status. Open vocabularies: readers meet others and pass them on. */

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

export const PowerState = {
  On: "On",
  Off: "Off",
  Paused: "Paused",
  PoweringOn: "PoweringOn",
  PoweringOff: "PoweringOff",
  Unknown: "Unknown",
} as const;

/** What may be wished for. */
export const Power = { On: "On", Off: "Off" } as const;

export const IndicatorLED = { Unknown: "Unknown", Lit: "Lit", Blinking: "Blinking", Off: "Off" } as const;

export const BMCState = { Enabled: "Enabled", Error: "Error", Pending: "Pending" } as const;

export const ServerClaimPhase = { Bound: "Bound", Unbound: "Unbound" } as const;

/** Of a ServerBootConfiguration, an IPXEBootConfig and an HTTPBootConfig. */
export const BootState = { Pending: "Pending", Ready: "Ready", Error: "Error" } as const;

export const ServerMaintenanceState = {
  Pending: "Pending",
  InMaintenance: "InMaintenance",
  Failed: "Failed",
  /** Terminal success without deleting the object. Ours. */
  Complete: "Complete",
  /** Another spelling of Complete, understood and never written. Ours. */
  Completed: "Completed",
} as const;

/** Of BIOSSettings, their flow items and BMCSettings. */
export const SettingsState = {
  Pending: "Pending",
  InProgress: "InProgress",
  Applied: "Applied",
  Failed: "Failed",
} as const;

/** Of BIOSVersion and BMCVersion. */
export const VersionState = {
  Pending: "Pending",
  InProgress: "InProgress",
  Completed: "Completed",
  Failed: "Failed",
} as const;

export const MaintenancePolicy = { OwnerApproval: "OwnerApproval", Enforced: "Enforced" } as const;

/** How thoroughly a disk is emptied between tenants. */
export const CleanupPolicy = { None: "None", Quick: "Quick", Secure: "Secure" } as const;
