/** Rules for every type the fleet serves: which members exist since which version, of what type, and which must be there. */
import { isObject, type Json, type JsonObject } from "../json.ts";

/**
 * One word per member, "Name:type@minor!": the type, the minor version that brought it, "!" when required.
 * Types: text, number, flag, object, list, texts, link, links, date, status; "?" after a type allows null.
 */
const rules: Readonly<Record<string, string>> = {
  ServiceRoot:
    "RedfishVersion:text! UUID:text? Product:text?@3 Vendor:text?@5 ProtocolFeaturesSupported:object@3 Systems:link Chassis:link Managers:link AccountService:link SessionService:link Tasks:link JobService:link@4 EventService:link UpdateService:link@1 Registries:link CertificateService:link@5 Links:object!",
  ComputerSystem:
    "SystemType:text Manufacturer:text? Model:text? SKU:text? SerialNumber:text? PartNumber:text? UUID:text? AssetTag:text? HostName:text? PowerState:text? BiosVersion:text? Status:status IndicatorLED:text? LocationIndicatorActive:flag?@13 LastResetTime:date@12 BootProgress:object@13 Boot:object ProcessorSummary:object MemorySummary:object TrustedModules:list@1 SerialConsole:object@13 Processors:link Memory:link@1 EthernetInterfaces:link Storage:link@1 SimpleStorage:link SecureBoot:link@1 Bios:link@1 LogServices:link VirtualMedia:link@13 Links:object Actions:object",
  Chassis:
    "ChassisType:text! Manufacturer:text? Model:text? SerialNumber:text? PartNumber:text? AssetTag:text? PowerState:text? IndicatorLED:text? LocationIndicatorActive:flag?@14 Location:object@2 Status:status Thermal:link Power:link Sensors:link@9 Links:object",
  Manager:
    "ManagerType:text UUID:text? ServiceEntryPointUUID:text? Manufacturer:text?@7 Model:text? SerialNumber:text?@7 PartNumber:text?@7 FirmwareVersion:text? PowerState:text?@2 DateTime:date? DateTimeLocalOffset:text? AutoDSTEnabled:flag@4 LastResetTime:date@9 GraphicalConsole:object SerialConsole:object CommandShell:object Status:status EthernetInterfaces:link NetworkProtocol:link LogServices:link VirtualMedia:link Links:object Actions:object",
  Processor:
    "ProcessorType:text? ProcessorArchitecture:text? InstructionSet:text? Socket:text? Manufacturer:text? Model:text? MaxSpeedMHz:number? TotalCores:number? TotalThreads:number? Status:status",
  Memory:
    "MemoryType:text? MemoryDeviceType:text? BaseModuleType:text? CapacityMiB:number? OperatingSpeedMhz:number? Manufacturer:text? SerialNumber:text? PartNumber:text? RankCount:number? ErrorCorrection:text? MemoryLocation:object Status:status@1",
  Storage: "StorageControllers:list Drives:links Drives@odata.count:number Volumes:link Status:status",
  Drive:
    "CapacityBytes:number? BlockSizeBytes:number? MediaType:text? Protocol:text? Manufacturer:text? Model:text? SerialNumber:text? Revision:text? FailurePredicted:flag? PredictedMediaLifeLeftPercent:number? RotationSpeedRPM:number? EncryptionAbility:text? PhysicalLocation:object@4 Status:status Actions:object",
  Volume: "CapacityBytes:number? BlockSizeBytes:number? RAIDType:text?@3 Links:object Status:status",
  SimpleStorage: "Devices:list Status:status",
  EthernetInterface:
    "MACAddress:text? PermanentMACAddress:text? SpeedMbps:number? FullDuplex:flag? LinkStatus:text?@1 InterfaceEnabled:flag? HostName:text? FQDN:text? IPv4Addresses:list IPv6Addresses:list NameServers:texts StaticNameServers:texts@4 DHCPv4:object@4 Status:status",
  BootOption: "BootOptionReference:text! DisplayName:text? Alias:text? BootOptionEnabled:flag?",
  SecureBoot: "SecureBootEnable:flag? SecureBootCurrentBoot:text? SecureBootMode:text?",
  Bios: "AttributeRegistry:text? Attributes:object Actions:object",
  ActionInfo: "Parameters:list",
  Thermal: "Temperatures:list Fans:list",
  Power: "PowerControl:list PowerSupplies:list",
  Sensor: "ReadingType:text? Reading:number? ReadingUnits:text? Status:status",
  ManagerNetworkProtocol:
    "HostName:text? FQDN:text? HTTP:object HTTPS:object IPMI:object SSH:object SNMP:object NTP:object@2 Status:status",
  AccountService:
    "ServiceEnabled:flag? MinPasswordLength:number MaxPasswordLength:number AccountLockoutThreshold:number? AccountLockoutDuration:number? Accounts:link Roles:link Status:status",
  ManagerAccount:
    "UserName:text Password:text? RoleId:text Enabled:flag Locked:flag AccountTypes:texts@4! Links:object",
  Role: "RoleId:text?@2 IsPredefined:flag AssignedPrivileges:texts",
  SessionService: "ServiceEnabled:flag? SessionTimeout:number Sessions:link Status:status",
  Session: "UserName:text? CreatedTime:date@4",
  TaskService:
    "ServiceEnabled:flag? DateTime:date? CompletedTaskOverWritePolicy:text LifeCycleEventOnTaskStateChange:flag Tasks:link Status:status",
  Task: "TaskState:text TaskStatus:text PercentComplete:number?@4 StartTime:date EndTime:date TaskMonitor:text@2 Messages:list",
  JobService: "ServiceEnabled:flag? Jobs:link Status:status",
  Job: "JobState:text JobStatus:text PercentComplete:number? StartTime:date EndTime:date Messages:list",
  EventService:
    "ServiceEnabled:flag? DeliveryRetryAttempts:number DeliveryRetryIntervalSeconds:number EventFormatTypes:texts@2 RegistryPrefixes:texts@2 ServerSentEventUri:text@1 Subscriptions:link Actions:object Status:status",
  EventDestination:
    "Destination:text! Context:text?! Protocol:text! EventFormatType:text?@4 SubscriptionType:text?@3 DeliveryRetryPolicy:text?@6 HttpHeaders:list Status:status@6",
  UpdateService:
    "ServiceEnabled:flag? HttpPushUri:text@1 MultipartHttpPushUri:text@6 FirmwareInventory:link@1 Actions:object Status:status",
  SoftwareInventory: "Version:text? Updateable:flag? SoftwareId:text@1 RelatedItem:links@2 Status:status",
  VirtualMedia:
    "MediaTypes:texts Image:text? ImageName:text? Inserted:flag? ConnectedVia:text? WriteProtected:flag? TransferMethod:text?@3 TransferProtocolType:text?@3 Actions:object@2",
  LogService:
    "LogEntryType:text?@1 OverWritePolicy:text MaxNumberOfRecords:number ServiceEnabled:flag? Entries:link Actions:object Status:status",
  LogEntry: "EntryType:text! Created:date? Severity:text? Message:text? MessageId:text? MessageArgs:texts",
  MessageRegistryFile: "Registry:text! Languages:texts! Location:list!",
  MessageRegistry: "Language:text! RegistryPrefix:text! RegistryVersion:text! OwningEntity:text! Messages:object!",
  AttributeRegistry: "Language:text! OwningEntity:text! RegistryVersion:text! RegistryEntries:object!",
  CertificateService: "Actions:object",
  Certificate:
    "CertificateType:text? Subject:object Issuer:object ValidNotBefore:date ValidNotAfter:date KeyUsage:texts",
  DellAttributes: "AttributeRegistry:text Attributes:object",
};

/** Enumerated members wherever they stand. */
const enumerations: Readonly<Record<string, string>> = {
  PowerState: "On Off PoweringOn PoweringOff Paused",
  Health: "OK Warning Critical",
  HealthRollup: "OK Warning Critical",
  State:
    "Enabled Disabled StandbyOffline StandbySpare InTest Starting Absent UnavailableOffline Deferring Quiesced Updating Qualified Degraded",
  ChassisType: "RackMount Sled Blade Enclosure StandAlone",
  SystemType: "Physical Virtual",
  ManagerType: "BMC",
  IndicatorLED: "Lit Blinking Off Unknown",
  BootSourceOverrideEnabled: "Disabled Once Continuous",
  BootSourceOverrideMode: "UEFI Legacy",
  MediaType: "HDD SSD SMR",
  RAIDType: "RAID0 RAID1 RAID5 RAID6 RAID10",
  LinkStatus: "LinkUp NoLink LinkDown",
  ConnectedVia: "NotConnected URI Applet Oem",
  ReadingType: "Temperature Rotational Power",
  EncryptionAbility: "None SelfEncryptingDrive Other",
};

type Check = (value: Json) => boolean;
const isLink: Check = (value) => isObject(value) && typeof value["@odata.id"] === "string";
const checks: Readonly<Record<string, Check>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  flag: (value) => typeof value === "boolean",
  object: isObject,
  list: Array.isArray,
  texts: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  link: isLink,
  links: (value) => Array.isArray(value) && value.every(isLink),
  date: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value),
  status: (value) =>
    isObject(value) && Object.keys(value).every((name) => ["State", "Health", "HealthRollup"].includes(name)),
};

interface MemberRule {
  readonly check: Check;
  readonly nullable: boolean;
  readonly minor: number;
  readonly required: boolean;
}

function rulesOf(type: string): ReadonlyMap<string, MemberRule> | undefined {
  const words = rules[type]?.split(" ");
  return (
    words &&
    new Map(
      words.map((word) => {
        const [, name = "", kind = "", nullable, minor, required] =
          /^(.+):([a-z]+)(\?)?(?:@(\d+))?(!)?$/.exec(word) ?? [];
        const check = checks[kind];
        if (!check) throw new Error(`no such rule: ${word}`);
        return [name, { check, nullable: nullable === "?", minor: Number(minor ?? 0), required: required === "!" }];
      }),
    )
  );
}

/** Everything that is wrong with one resource; empty when it is as its schema says. */
export function schemaProblems(path: string, body: JsonObject): string[] {
  const type = body["@odata.type"];
  if (typeof type !== "string") return path.endsWith("/odata") ? [] : [`${path}: no @odata.type`];
  const isCollection = /^#(\w+Collection)\.\1$/.test(type);
  const problems = isCollection ? collectionProblems(body) : resourceProblems(body, type);
  return [...problems, ...enumerationProblems(body)].map((problem) => `${path}: ${problem}`);
}

function collectionProblems(body: JsonObject): string[] {
  const members = body.Members;
  if (!Array.isArray(members) || !members.every(isLink)) return ["Members is not a list of links"];
  return [
    ...(body["Members@odata.count"] === members.length ? [] : ["Members@odata.count does not count the members"]),
    ...(typeof body.Name === "string" ? [] : ["no Name"]),
  ];
}

const everywhere = new Set([
  "@odata.id",
  "@odata.type",
  "@odata.etag",
  "Id",
  "Name",
  "Description",
  "Oem",
  "@Redfish.Settings",
]);
const withoutAddress = new Set(["MessageRegistry", "AttributeRegistry"]);

function resourceProblems(body: JsonObject, type: string): string[] {
  const [, name = "", minor] = /^#(\w+)\.v1_(\d+)_\d+\.\1$/.exec(type) ?? [];
  const known = rulesOf(name);
  if (!known) return [`no rules for ${type}`];
  const needed = withoutAddress.has(name) ? ["Id", "Name"] : ["@odata.id", "Id", "Name"];
  const missing = [...needed, ...[...known].filter(([, { required }]) => required).map(([member]) => member)];
  return [
    ...missing.filter((member) => body[member] === undefined).map((member) => `${member} is missing`),
    ...Object.entries(body).flatMap(([member, value]) =>
      memberProblem(member, value ?? null, known.get(member), Number(minor)),
    ),
  ];
}

function memberProblem(member: string, value: Json, rule: MemberRule | undefined, minor: number): string[] {
  if (everywhere.has(member)) return [];
  if (!rule) return [`${member} is not in the schema`];
  if (rule.minor > minor) return [`${member} came with 1.${rule.minor}, this is 1.${minor}`];
  return rule.check(value) || (value === null && rule.nullable)
    ? []
    : [`${member} has the wrong type: ${JSON.stringify(value)}`];
}

/** Looks at every depth, but not into registries and attributes, whose names are the vendor's. */
function enumerationProblems(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(enumerationProblems);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === "Attributes" || name === "Messages" || name === "RegistryEntries" || name === "Oem") return [];
    const allowed = enumerations[name]?.split(" ");
    const isWrong = allowed && typeof inner === "string" && !allowed.includes(inner);
    return [...(isWrong ? [`${name} cannot be "${inner}"`] : []), ...enumerationProblems(inner)];
  });
}

/** Every action target a resource offers. */
export function actionTargets(body: JsonObject): string[] {
  const actions = isObject(body.Actions) ? Object.values(body.Actions) : [];
  return actions.filter(isObject).flatMap(({ target }) => (typeof target === "string" ? [target] : []));
}
