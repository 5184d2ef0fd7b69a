export { ActionDoor, type ActionObject, type ActionRequest, type IntentGuard } from "./actions/door.ts";
export type { AttachedBmc, Reading } from "./attached-bmc.ts";
export { AuditLog, type AuditOptions, type AuditSink } from "./audit/audit-log.ts";
export { fileSink, streamSink } from "./audit/sinks.ts";
export { type AnchoredHead, type Verification, verifyAudit } from "./audit/verify.ts";
export type {
  CustomAction,
  HardwareAction,
  HardwareInventory,
  ManagerFacts,
  Performed,
  Sensor,
  ServerFacts,
} from "./driver/driver.ts";
export { Hardware, type HardwareOptions } from "./hardware.ts";
export type { BreakerState, Breaking } from "./lane/breaker.ts";
export type { LaneCondition, LaneConditionType } from "./lane/conditions.ts";
export type { LaneMetrics, SessionMode } from "./lane/lane-metrics.ts";
export type { ReadSharing } from "./lane/shared-reads.ts";
export { hardwareMetrics } from "./metrics.ts";
export type { LaneHandle, Operation } from "./port/lane-handle.ts";
export { type LaneRequest, Lanes, type LanesOptions } from "./port/lanes.ts";
export { type IpmiAddress, ipmiAddress, type PortDetail } from "./port/port.ts";
export { pace } from "./watch/pace.ts";
export type { Debouncing } from "./watch/power-debounce.ts";
export {
  type BmcSnapshot,
  type HardwareChange,
  type Seen,
  type ServerSnapshot,
  type SnapshotPart,
  serverIn,
} from "./watch/snapshot.ts";
