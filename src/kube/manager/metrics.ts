/** The numbers of a process as a whole. Names and labels are compatibility surface. */
import { Counter, Gauge, type Registry } from "prom-client";

export interface ManagerMetrics {
  /** Whether this replica holds the lease of that name. */
  leading(lease: string, leads: boolean): void;
  eventDropped(reason: string): void;
}

export function managerMetrics(registry: Registry): ManagerMetrics {
  const registers = [registry];
  const leading = new Gauge({
    name: "leader_election_master_status",
    help: "1 while this replica holds the lease, 0 while it waits",
    labelNames: ["name"] as const,
    registers,
  });
  const dropped = new Counter({
    name: "metalwright_events_dropped_total",
    help: "Events about objects that were given up, by reason",
    labelNames: ["reason"] as const,
    registers,
  });
  return {
    leading: (name, leads) => leading.set({ name }, leads ? 1 : 0),
    eventDropped: (reason) => dropped.inc({ reason }),
  };
}
