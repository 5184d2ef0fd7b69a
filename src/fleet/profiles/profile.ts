/** What makes a vendor's BMC different, as data. Knows no state of any BMC. */
import type { Json, JsonObject } from "../json.ts";

export const profileNames = [
  "dell-idrac9",
  "hpe-ilo5",
  "hpe-ilo6",
  "lenovo-xcc",
  "supermicro-x10",
  "supermicro-x12",
  "openbmc",
  "generic",
] as const;
export type ProfileName = (typeof profileNames)[number];

/** Names of parts as this vendor spells them; `n` counts from 1. */
export interface PartNames {
  system(n: number, of: number): string;
  chassis(n: number, of: number): string;
  readonly manager: string;
  processor(n: number): string;
  memory(n: number): string;
  readonly storage: string;
  drive(n: number): string;
  ethernet(n: number): string;
  readonly virtualMedia: readonly string[];
}

export interface BiosAttribute {
  readonly name: string;
  readonly type: "Enumeration" | "Integer" | "String" | "Boolean" | "Password";
  readonly value: Json;
  /** Value names and how the vendor displays them. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly bounds?: readonly [number, number];
  readonly maxLength?: number;
  readonly readOnly?: true;
  readonly hidden?: true;
  /** False: takes effect at once. Undefined: the registry does not say, and it needs a reset. */
  readonly reset?: boolean;
  /** This attribute is read-only while another has a value. */
  readonly lockedWhile?: { readonly attribute: string; readonly is: Json };
}

export interface BiosTraits {
  /** The last segment of the settings object's path. */
  readonly settings: string;
  readonly registry: string;
  readonly attributes: readonly BiosAttribute[];
  /** The settings object repeats every current value instead of only what is pending. */
  readonly mirrorsCurrent: boolean;
  /** Whether the registry admits that a reset is needed. */
  readonly statesReset: boolean;
  /** A write with an apply time makes a job, and a second write while it waits is refused. */
  readonly makesJob: boolean;
}

export interface FirmwareEntry {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly updateable: boolean;
  readonly component: "BIOS" | "BMC" | "other";
}

export interface Profile {
  readonly name: ProfileName;
  readonly manufacturer: string;
  readonly vendor: string;
  readonly product: string;
  readonly models: readonly [string, ...string[]];
  readonly managerModel: string;
  readonly redfishVersion: string;
  readonly username: string;
  readonly password: string;
  readonly macPrefix: string;
  /** HPE ends every address with a slash. */
  readonly trailingSlash: boolean;
  readonly names: PartNames;
  /** Schema versions that differ from ours, as "v1_10_0". */
  readonly versions: Readonly<Record<string, string>>;
  readonly messages: { readonly registry: string; readonly version: string };
  readonly etags: {
    readonly form: "strong" | "weak" | "none";
    /** What If-Match must look like to be accepted: as given, or with the weakness mark taken off. */
    readonly accepts: "given" | "strong-only";
    /** Which POSTs to actions answer 412 to any If-Match. */
    readonly refusedOnActions: "none" | "update" | "all";
  };
  /** How a successful PATCH is answered: with nothing, or with a message that says so. */
  readonly writeStatus: 200 | 204;
  readonly expand: { readonly maxLevels: number } | undefined;
  readonly select: boolean;
  readonly sessions:
    | { readonly slots: number; readonly full: { readonly status: number; readonly message: string } }
    | undefined;
  readonly accounts: {
    readonly slots: number;
    readonly create: "post" | "patch-slot";
    /** So many wrong passwords lock an account for so many seconds. */
    readonly lockout?: { readonly threshold: number; readonly seconds: number };
  };
  readonly power: {
    readonly resetTypes: readonly string[];
    readonly status: 200 | 202 | 204;
    /** Asking for the state that already is answers 409. */
    readonly refusesSameState: boolean;
    /** The action resource lists its values itself; otherwise only ActionInfo does. */
    readonly listsValues: boolean;
    readonly transitional: boolean;
  };
  /** Sold with one, two and four systems behind one BMC. */
  readonly multiSystem: boolean;
  readonly managerReset: { readonly types: readonly string[] | undefined; readonly defaultType: string };
  readonly boot: {
    readonly targets: readonly string[];
    readonly reportsMode: boolean;
    readonly order: "writable" | "refused";
    /** PATCH of the override goes to a separate settings object. */
    readonly settingsObject: boolean;
  };
  readonly indicator: "led" | "location" | "both";
  readonly bios: BiosTraits | undefined;
  readonly managerAttributes: readonly BiosAttribute[] | undefined;
  readonly update: {
    readonly simple: boolean;
    readonly push: boolean;
    readonly multipart: boolean;
    /** What a Location header leads to. */
    readonly locates: "task" | "monitor";
    /** Where the answer to an update names its task: in its header, or only in its body. */
    readonly taskIn: "location" | "body";
    readonly taskIds: "number" | "jid";
    /** Lenovo: the task ends at once and points to a job. */
    readonly handsToJob: boolean;
    /** HPE: a finished monitor answers with an error-shaped success. */
    readonly monitorEndsAsError: boolean;
    readonly firmware: (versions: { readonly bios: string; readonly bmc: string }) => readonly FirmwareEntry[];
    /** How a staged image shows in the inventory. */
    readonly staged: (entry: FirmwareEntry) => { readonly id: string; readonly state: string };
    readonly biosVersions: readonly [string, ...string[]];
    readonly bmcVersions: readonly [string, ...string[]];
  };
  readonly virtualMedia: { readonly under: "manager" | "system"; readonly refusesSecondInsert: boolean };
  readonly sensors: { readonly legacy: boolean; readonly modern: boolean };
  readonly events:
    | { readonly sse: boolean; readonly retryPolicy: boolean; readonly originAsText: boolean; readonly slots: number }
    | undefined;
  readonly secureErase: boolean;
  /** Some firmware closes the connection after each answer. */
  readonly closesConnection: boolean;
  /** Milliseconds: what one GET takes on the real thing, and how much it varies; some paths are much slower. */
  readonly latency: {
    readonly medianMs: number;
    readonly spread: number;
    readonly slow: Readonly<Record<string, number>>;
  };
  /** Members the vendor adds, keyed by kind of resource. */
  readonly oem: Readonly<Record<string, JsonObject>>;
}

const ours: Readonly<Record<string, string>> = {
  ServiceRoot: "v1_16_1",
  ComputerSystem: "v1_22_0",
  Chassis: "v1_25_0",
  Manager: "v1_19_0",
  Processor: "v1_20_0",
  Memory: "v1_19_0",
  Storage: "v1_16_0",
  StorageController: "v1_7_1",
  Drive: "v1_19_0",
  Volume: "v1_10_0",
  EthernetInterface: "v1_12_0",
  SimpleStorage: "v1_3_1",
  BootOption: "v1_0_6",
  SecureBoot: "v1_1_1",
  Bios: "v1_2_1",
  AttributeRegistry: "v1_3_8",
  MessageRegistryFile: "v1_1_3",
  MessageRegistry: "v1_6_2",
  AccountService: "v1_15_0",
  ManagerAccount: "v1_12_0",
  Role: "v1_3_1",
  SessionService: "v1_1_9",
  Session: "v1_7_0",
  TaskService: "v1_2_1",
  Task: "v1_7_4",
  JobService: "v1_0_4",
  Job: "v1_2_3",
  EventService: "v1_10_1",
  EventDestination: "v1_14_0",
  UpdateService: "v1_14_0",
  SoftwareInventory: "v1_10_1",
  VirtualMedia: "v1_6_3",
  ManagerNetworkProtocol: "v1_10_0",
  LogService: "v1_5_0",
  LogEntry: "v1_16_0",
  Thermal: "v1_7_1",
  Power: "v1_7_1",
  Sensor: "v1_9_0",
  CertificateService: "v1_0_5",
  Certificate: "v1_8_0",
  ActionInfo: "v1_4_0",
  NetworkAdapter: "v1_11_0",
  DellAttributes: "v1_0_0",
};

/** The schema version this profile serves for a type, as "v1_22_0". */
export function versionOf(profile: Profile, type: string): string {
  return profile.versions[type] ?? ours[type] ?? "v1_0_0";
}

/** Minor versions, taken apart once: this is asked a dozen times for one system. */
const minors = new Map<string, number>();

/** Whether this profile's schema of `type` is at least 1.`minor`. */
export function since(profile: Profile, type: string, minor: number): boolean {
  const version = versionOf(profile, type);
  let known = minors.get(version);
  if (known === undefined) {
    known = Number(version.split("_")[1]);
    minors.set(version, known);
  }
  return known >= minor;
}
