/** What is known of a BMC and its servers, each part with the time it was seen. Values only; the watch replaces them. */
import type { Failure, PowerState } from "#redfish";
import type { HardwareInventory, ManagerFacts, ServerFacts } from "../driver/driver.ts";

/** A value with its age. */
export interface Seen<T> {
  readonly value: T;
  /** For people. */
  readonly at: Date;
  /** Monotonic, for comparisons. */
  readonly atMs: number;
}

export interface ServerSnapshot {
  readonly id: string;
  readonly facts: Seen<ServerFacts>;
  /** The power state that counts; absent until one was seen twice in a row. */
  readonly power?: Seen<PowerState>;
}

export interface BmcSnapshot {
  readonly servers: readonly ServerSnapshot[];
  readonly manager?: Seen<ManagerFacts>;
  readonly inventory?: Seen<HardwareInventory>;
  /** Whether the last read was answered; absent before the first. */
  readonly reachable?: Seen<boolean>;
  /** Why the last read failed; absent when it did not. */
  readonly lastFailure?: Failure;
}

export const emptySnapshot: BmcSnapshot = { servers: [] };

export type SnapshotPart = "reachable" | "servers" | "facts" | "power" | "manager" | "inventory";

/** What is different now. */
export interface HardwareChange {
  readonly server?: string;
  readonly parts: readonly SnapshotPart[];
}

export function serverIn({ servers }: BmcSnapshot, id: string): ServerSnapshot | undefined {
  return servers.find((server) => server.id === id);
}
