/** How to talk to one BMC: answers as values, every resource we use, vendor differences as data. */
export { type RedfishClient, type RedfishClientOptions, redfishClient } from "./client.ts";
export { type BmcAddress, bmcAddress, originOf } from "./protocol/address.ts";
export {
  type Answer,
  Connection,
  type ConnectionOptions,
  DEFAULT_TIMEOUT_MS,
  type OpenStream,
  type RedfishRequest,
} from "./protocol/connection.ts";
export { hasMessage } from "./protocol/extended-error.ts";
export { FenceClosed } from "./protocol/network-error.ts";
export {
  type ExtendedMessage,
  type Failure,
  type FailureCode,
  failure,
  mapOutcome,
  type Outcome,
  success,
} from "./protocol/outcome.ts";
export type { Quirks } from "./protocol/quirks.ts";
export { readArray, readString } from "./protocol/read.ts";
export { withoutSecrets } from "./protocol/redact.ts";
export { type Accepted, type CallOptions, RedfishService, type Resource, type Sender } from "./protocol/service.ts";
export { type Credentials, pathOf, Session, type SessionOptions } from "./protocol/session.ts";
export { Survey } from "./protocol/survey.ts";
export type { TlsOptions, Trust } from "./protocol/trust.ts";
export {
  type Account,
  type AccountService,
  ensureAccount,
  readAccountService,
  removeAccount,
  type WantedAccount,
} from "./resources/accounts.ts";
export type { Attribute, AttributeRegistry, AttributeValue } from "./resources/attribute-registry.ts";
export type { AttributeProblem, ValidatedChange, Values } from "./resources/attribute-validation.ts";
export {
  type BiosSettings,
  checkBios,
  dropPendingBios,
  pendingBios,
  readBios,
  readBiosRegistry,
  resetBios,
  type WrittenBios,
  writeBios,
} from "./resources/bios.ts";
export { type ArmedBoot, type BootOverride, lostBootOptions, setBootOrder, setBootOverride } from "./resources/boot.ts";
export type { BootSettings } from "./resources/boot-settings.ts";
export { type Certificate, readHttpsCertificates, replaceCertificate } from "./resources/certificates.ts";
export { type Chassis, chassisOf, type Location } from "./resources/chassis.ts";
export { type EventStream, openEventStream } from "./resources/event-stream.ts";
export { eventsOf, type RedfishEvent } from "./resources/events.ts";
export { type FirmwareEntry, readFirmwareInventory } from "./resources/firmware-inventory.ts";
export { type ComponentHealth, type Health, healthOf, managerHealth } from "./resources/health.ts";
export { type Indicator, indicatorState, setIndicator } from "./resources/indicator.ts";
export { type Introduction, introduce } from "./resources/introduction.ts";
export { type Inventory, readInventory, type SystemInventory } from "./resources/inventory.ts";
export { type LogEntry, readLogs } from "./resources/logs.ts";
export { chooseManager, type Manager, managerOf } from "./resources/manager.ts";
export { type ManagerSettings, openManagerSettings } from "./resources/manager-settings/manager-settings.ts";
export type { MemoryModule } from "./resources/memory.ts";
export { macOf, type NetworkInterface } from "./resources/network-interface.ts";
export { makePassword, type PasswordPolicy } from "./resources/password.ts";
export type { Processor } from "./resources/processor.ts";
export {
  offeredResetTypes,
  type ResetResult,
  type ResetType,
  resetManager,
  resetSystem,
  resetTypes,
} from "./resources/reset.ts";
export { eraseDrive, type StartedErase } from "./resources/secure-erase.ts";
export { type PowerSupply, type Readings, readSensors, type Sensor } from "./resources/sensors.ts";
export { type SerialConsole, serialConsoles } from "./resources/serial-console.ts";
export type { ServiceRoot } from "./resources/service-root.ts";
export { endStaleSession } from "./resources/sessions.ts";
export { stagedFirmware } from "./resources/staged-firmware.ts";
export type { Severity, Status } from "./resources/status.ts";
export type { Drive, Storage, StorageController, Volume } from "./resources/storage.ts";
export {
  type Subscription,
  subscribe,
  unsubscribe,
  verifySubscription,
  type WantedSubscription,
} from "./resources/subscriptions.ts";
export { type PowerState, powerStateOf, type System, systemOf, type TrustedModule } from "./resources/system.ts";
export { readTask, remedyForStall, type TaskPhase, type TaskProgress, taskMonitorOf } from "./resources/task.ts";
export {
  type PushedImage,
  pushUpdate,
  readUpdateService,
  type SimpleUpdate,
  type StartedUpdate,
  simpleUpdate,
  type UpdateService,
} from "./resources/update.ts";
export {
  ejectMedia,
  findMedia,
  insertMedia,
  type MediaImage,
  type VirtualMedium,
  virtualMediumOf,
} from "./resources/virtual-media.ts";
export { allQuirks, type Identity, quirksFor } from "./vendors/quirk.ts";
export type { Quirk } from "./vendors/row.ts";
