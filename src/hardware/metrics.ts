/** The lanes as Prometheus metrics. None is labelled by BMC: ask {@link Lanes.details} for one of them. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { LaneMetrics } from "./lane/lane-metrics.ts";

/** Registers the metrics once and returns what lanes report to. */
export function hardwareMetrics(registry: Registry): LaneMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: "metalwright_bmc_requests_total",
    help: "Requests sent to BMCs, by method and outcome (ok, or the code of the failure).",
    labelNames: ["method", "outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "metalwright_bmc_request_duration_seconds",
    help: "Time from sending a request to a BMC until its answer or failure.",
    labelNames: ["method"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const joined = new Counter({
    name: "metalwright_bmc_reads_joined_total",
    help: "Reads that were answered by an equal read under way.",
    registers,
  });
  const breakers = new Gauge({
    name: "metalwright_bmc_lanes",
    help: "Lanes to BMCs, by the state of their breaker: closed, open, half-open.",
    labelNames: ["breaker"],
    registers,
  });
  const sessions = new Gauge({
    name: "metalwright_bmc_sessions",
    help: "Lanes to BMCs, by how they prove who they are: token (a session), basic, none yet, refused.",
    labelNames: ["mode"],
    registers,
  });
  return {
    requested(method, outcome, seconds) {
      requests.inc({ method, outcome });
      duration.observe({ method }, seconds);
    },
    joined: () => joined.inc(),
    breaker: (from, to) => move(breakers, "breaker", from, to),
    session: (from, to) => move(sessions, "mode", from, to),
  };
}

function move<L extends string>(gauge: Gauge<L>, label: L, from: string | undefined, to: string | undefined): void {
  if (from !== undefined) gauge.dec({ [label]: from } as Partial<Record<L, string>>);
  if (to !== undefined) gauge.inc({ [label]: to } as Partial<Record<L, string>>);
}
