/** What the lanes need of a protocol: Redfish and IPMI stand behind this. Each call is bounded by its options. */
import type {
  BootOverride,
  BootSettings,
  CallOptions,
  EventStream,
  Indicator,
  Inventory,
  MediaImage,
  Outcome,
  PowerState,
  RedfishService,
  ResetType,
  Severity,
  System,
} from "#redfish";

/** One server as its BMC shows it in one read. What the BMC does not report is absent. */
export interface ServerFacts {
  /** The address of the system on this BMC; stable while the BMC lives. */
  readonly id: string;
  readonly uuid?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly hostName?: string;
  readonly power?: PowerState;
  readonly health?: Severity;
  readonly biosVersion?: string;
  readonly bootProgress?: string;
  readonly lastResetTime?: string;
  readonly indicator?: System["indicator"];
  readonly boot?: BootSettings;
}

export interface ManagerFacts {
  readonly id?: string;
  readonly uuid?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly firmwareVersion?: string;
  readonly health?: Severity;
  readonly lastResetTime?: string;
}

export interface BmcFacts {
  readonly manager: ManagerFacts | undefined;
  readonly servers: readonly ServerFacts[];
}

export interface Sensor {
  readonly name: string;
  readonly value?: number;
  readonly unit?: string;
  readonly health?: Severity;
}

/** Everything a BMC knows about its hardware, in the words of its protocol. */
export type HardwareInventory =
  | { readonly protocol: "redfish"; readonly inventory: Inventory }
  | {
      readonly protocol: "ipmi";
      readonly board: Readonly<Record<string, string>>;
      readonly sensors: readonly Sensor[];
    };

export type HardwareAction =
  | { readonly kind: "Reset"; readonly server: string; readonly type: ResetType }
  | { readonly kind: "SetBootOverride"; readonly server: string; readonly override: BootOverride }
  | { readonly kind: "InsertMedia"; readonly server: string; readonly collection: string; readonly image: MediaImage }
  | { readonly kind: "EjectMedia"; readonly server: string; readonly drive: string }
  | { readonly kind: "SetIndicator"; readonly server: string; readonly indicator: Indicator }
  | { readonly kind: "ResetManager"; readonly manager: string; readonly type?: "GracefulRestart" | "ForceRestart" }
  | CustomAction;

/** Anything else that Redfish can do: firmware, settings, accounts, erasure. Goes through the same door. */
export interface CustomAction {
  readonly kind: "Custom";
  /** For the audit trail: "Flash/BIOS". */
  readonly name: string;
  readonly server?: string;
  /** Whether doing it twice is as good as once; if not, an intent must precede it. */
  readonly repeatable: boolean;
  /** What is recorded about it; holds no secret. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly run: (service: RedfishService, options: CallOptions) => Promise<Outcome<unknown>>;
}

export interface Performed {
  /** False when the hardware already was as asked. */
  readonly sent: boolean;
  /** What the protocol returned: a task to follow, the settings that were taken. */
  readonly result?: unknown;
}

export interface ActOptions {
  readonly signal?: AbortSignal;
  /** Monotonic time by which the action and all its requests are over. */
  readonly deadlineAt: number;
}

export interface Driver {
  readonly protocol: "redfish" | "ipmi";
  /** Gets to know the BMC: a few requests, once. */
  introduce(options?: CallOptions): Promise<Outcome<BmcFacts>>;
  /** One server again, in one request. */
  readServer(id: string, options?: CallOptions): Promise<Outcome<ServerFacts>>;
  /** The manager again, in one request; undefined where there is nothing more to know. */
  readManager(options?: CallOptions): Promise<Outcome<ManagerFacts | undefined>>;
  readInventory(options?: CallOptions): Promise<Outcome<HardwareInventory>>;
  perform(action: HardwareAction, options: ActOptions): Promise<Outcome<Performed>>;
  /** Reads with Redfish's own words; refuses to send a change. */
  read<T>(
    run: (service: RedfishService, options: CallOptions) => Promise<Outcome<T>>,
    options: ActOptions,
  ): Promise<Outcome<T>>;
  /** The BMC's own stream of events; NotSupported where it has none. */
  openEvents(options: CallOptions): Promise<Outcome<EventStream>>;
}

/** Actions that must not be sent twice by accident. */
export function isRepeatable(action: HardwareAction): boolean {
  if (action.kind === "Custom") return action.repeatable;
  return action.kind !== "Reset" && action.kind !== "ResetManager";
}

export function serverOf(action: HardwareAction): string | undefined {
  return "server" in action ? action.server : undefined;
}

/** The action as it is recorded: no functions, and no secret by construction. */
export function describeAction(action: HardwareAction): Readonly<Record<string, unknown>> {
  if (action.kind === "Custom") return { kind: action.name, ...action.detail };
  if (action.kind !== "InsertMedia") return { ...action };
  const { url, type, username } = action.image;
  return { kind: action.kind, server: action.server, url, type, username };
}
