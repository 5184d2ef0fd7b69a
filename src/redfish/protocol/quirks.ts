/**
 * The words in which vendor differences are told: every way in which a BMC may want to be treated differently.
 * Absent means "as the standard says". Rows of data under `vendors/` give them their values; nothing here names a vendor.
 */

/** An attribute that firmware takes although its registry does not list it. */
export interface ExtraAttribute {
  readonly name: string;
  readonly type: "Boolean" | "String" | "Integer" | "Enumeration";
  readonly resetRequired: boolean;
}

/** How a firmware inventory shows one component and an image that waits for a restart. */
export interface StagedFirmware {
  readonly by: "Id" | "Name";
  readonly bmc: RegExp;
  readonly bios: RegExp;
  readonly stagedState?: string;
  readonly stagedId?: RegExp;
}

export interface Quirks {
  /** If-Match wants the ETag without its weakness mark. */
  readonly strongIfMatch?: boolean;
  /** `$expand` is advertised and not done, or done wrongly. */
  readonly noExpand?: boolean;
  /** Every request gets its own connection. */
  readonly closeConnections?: boolean;
  /** Reads that take minutes on healthy hardware. */
  readonly slowReads?: readonly { readonly path: RegExp; readonly timeoutMs: number }[];

  /** Asking for the power state that already is answers 409 instead of doing nothing. */
  readonly refusesSameState?: boolean;
  /** The manager's reset takes no ResetType at all. */
  readonly managerResetWithoutType?: boolean;
  /** A job that stops moving moves again only after the manager was restarted. */
  readonly stalledJobNeedsManagerReset?: boolean;

  /** When to send BootSourceOverrideMode: if another mode is set (the default), whenever one is reported, or never. */
  readonly bootMode?: "whenReported" | "never";
  /** The one-time override is taken only through the system's settings object. */
  readonly bootOverrideInSettings?: boolean;
  /** A one-time override stays after the boot it was for and has to be disarmed. */
  readonly bootOverrideSticks?: boolean;
  /** Every override is shown as Continuous, however long it was asked to last. */
  readonly bootOverrideShownContinuous?: boolean;
  /** BootOrder is shown and refused when written. */
  readonly bootOrderReadOnly?: boolean;
  /** Boot options disappear from the order after an installation: look again after a boot. */
  readonly bootOrderDrifts?: boolean;

  /** Media are inserted and ejected by PATCH, whatever actions are shown. */
  readonly mediaByPatch?: boolean;
  /** An insert takes the image's address and nothing else. */
  readonly mediaImageOnly?: boolean;
  /** A drive with a medium refuses another one until it was ejected. */
  readonly mediaEjectFirst?: boolean;
  /** The image's name stays after an eject; only ConnectedVia says that the drive is empty. */
  readonly mediaNameLingers?: boolean;
  /** Only drives with such an Id take an image from an address. */
  readonly mediaSlots?: RegExp;

  /** The registry never admits that an attribute needs a restart: each one does. */
  readonly biosAlwaysResets?: boolean;
  /** A write makes a job, and another write is refused until that job ran. */
  readonly biosOneJobAtATime?: boolean;
  /** Where the manager's own attributes are. */
  readonly managerAttributes?: "dell" | "uri" | "manager";
  /** Enumerations are shown by display name and written by value name. */
  readonly managerAttributesShowDisplayNames?: boolean;
  readonly extraManagerAttributes?: readonly ExtraAttribute[];
  /** A manager attribute whose registry entry does not speak of a reset needs none. */
  readonly managerResetUnsaidMeansNo?: boolean;
  /** How this registry spells "ReadOnly". */
  readonly readOnlyProperty?: string;

  /** Sent with an update so that it starts now. */
  readonly updateApplyTime?: string;
  /** An update names what it is for. */
  readonly updateTargets?: Readonly<Record<"BIOS" | "BMC", string>>;
  /** Where the answer to an update names its task, first match wins. */
  readonly taskIn?: readonly TaskSource[];
  /** A finished monitor answers with the shape of an error that says "Success". */
  readonly taskEndsAsError?: boolean;
  /** The task ends at once and hands over to a job named in its messages. */
  readonly taskHandsToJob?: boolean;
  readonly stagedFirmware?: StagedFirmware;

  /** A change of an account is refused unless it carries the password. */
  readonly accountChangeNeedsPassword?: boolean;
  /** The special characters that this BMC takes in a password. */
  readonly passwordSpecials?: string;
  /** DeliveryRetryPolicy is unknown to the event service. */
  readonly noDeliveryRetryPolicy?: boolean;
  /** What a refused second subscription to the same destination is called. */
  readonly duplicateSubscription?: readonly string[];
}

export type TaskSource = "location" | "taskMonitor" | "id" | "task";
