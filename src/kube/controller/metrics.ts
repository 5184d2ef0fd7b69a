/** The numbers every controller has. Names and labels are those dashboards of this ecosystem already know. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export type PassResult = "success" | "gone" | "conflict" | "unknown" | "fenced" | "stopped" | "error";

export interface ControllerMetrics {
  pass(controller: string, result: PassResult, seconds: number): void;
  depth(controller: string, keys: number): void;
  retried(controller: string): void;
  waited(controller: string, seconds: number): void;
  active(controller: string, change: 1 | -1): void;
}

const PASS_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

export function controllerMetrics(registry: Registry): ControllerMetrics {
  const registers = [registry];
  const labelNames = ["controller"] as const;
  const passes = new Counter({
    name: "controller_runtime_reconcile_total",
    help: "Passes by controller and result",
    labelNames: ["controller", "result"] as const,
    registers,
  });
  const errors = new Counter({
    name: "controller_runtime_reconcile_errors_total",
    help: "Passes that ended with an error",
    labelNames,
    registers,
  });
  const time = new Histogram({
    name: "controller_runtime_reconcile_time_seconds",
    help: "Length of a pass",
    labelNames,
    buckets: PASS_BUCKETS,
    registers,
  });
  const active = new Gauge({
    name: "controller_runtime_active_workers",
    help: "Passes running now",
    labelNames,
    registers,
  });
  const depth = new Gauge({ name: "workqueue_depth", help: "Keys ready to be worked on", labelNames, registers });
  const retries = new Counter({ name: "workqueue_retries_total", help: "Keys that backed off", labelNames, registers });
  const waiting = new Histogram({
    name: "workqueue_queue_duration_seconds",
    help: "How long keys were ready before they were taken",
    labelNames,
    buckets: PASS_BUCKETS,
    registers,
  });
  return {
    pass(controller, result, seconds) {
      passes.inc({ controller, result });
      if (result === "error") errors.inc({ controller });
      time.observe({ controller }, seconds);
    },
    depth: (controller, keys) => depth.set({ controller }, keys),
    retried: (controller) => retries.inc({ controller }),
    waited: (controller, seconds) => waiting.observe({ controller }, seconds),
    active: (controller, change) => active.inc({ controller }, change),
  };
}
