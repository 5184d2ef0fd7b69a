export type { BreakerState, Breaking } from "./lane/breaker.ts";
export type { LaneCondition, LaneConditionType } from "./lane/conditions.ts";
export type { LaneDetail } from "./lane/lane.ts";
export type { LaneMetrics, SessionMode } from "./lane/lane-metrics.ts";
export type { ReadSharing } from "./lane/shared-reads.ts";
export type { LaneHandle, Operation } from "./redfish/lane-handle.ts";
export { type LaneRequest, Lanes, type LanesOptions } from "./redfish/lanes.ts";
