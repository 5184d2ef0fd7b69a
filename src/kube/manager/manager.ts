/**
 * Runs controllers and everything around them: informers, leader election, events, health, and an orderly end.
 * Owns every background task it starts and waits for it. When the lease is lost it stops everything at once.
 */

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import { type Clock, type Random, seconds, systemRandom } from "#clock";
import type { ObjectKey } from "#kinds";
import type { Client } from "../client/client.ts";
import { controllerMetrics } from "../controller/metrics.ts";
import type { PassRecorder } from "../controller/pass-recorder.ts";
import type { Runtime } from "../controller/runtime.ts";
import type { Reporter } from "../events/event-about.ts";
import { EventRecorder } from "../events/event-recorder.ts";
import { createInformers, type Informers } from "../informer/informers.ts";
import { LeaseFence } from "../leader/lease-fence.ts";
import type { ElectionTiming } from "../leader/timing.ts";
import type { Fence } from "../transport/fence.ts";
import type { HealthOptions } from "./health-server.ts";
import { ManagerRun } from "./manager-run.ts";
import { managerMetrics } from "./metrics.ts";
import { isController, type Part } from "./runnable.ts";

export interface ManagerOptions {
  /**
   * Makes a client that starts no request once the fence is closed; called once for the work and once for the election:
   * `(fence) => createClient(fenced(transport, fence), …)`.
   */
  readonly connect: (fence: Fence) => Client;
  readonly clock: Clock;
  readonly random?: Random;
  readonly logger: Logger;
  /** Absent: this process is alone and leads from the start. */
  readonly election?: {
    readonly lease: Required<ObjectKey>;
    /** Host name and a fresh id unless said otherwise; never the same in two processes. */
    readonly identity?: string;
    readonly timing?: ElectionTiming;
  };
  /** Where `/healthz`, `/readyz` and `/metrics` are; nowhere when absent. */
  readonly serve?: HealthOptions;
  /** How long running passes may take to finish after a stop; 20 s unless said otherwise. */
  readonly drainMs?: number;
  readonly registry?: Registry;
  /** Who events come from. */
  readonly reporter?: Reporter;
  readonly passes?: PassRecorder;
}

/** How a run ended. After a lost lease the process must exit: its fence stays closed. */
export type ManagerEnd = { readonly ended: "stopped" } | { readonly ended: "lease lost"; readonly reason: string };

export interface Manager {
  /** For everything but the election: fenced by the lease. */
  readonly client: Client;
  /** For requests that do not go through the client, to hardware for example: ask it right before each one. */
  readonly fence: Fence;
  readonly informers: Informers;
  readonly registry: Registry;
  readonly runtime: Runtime;
  /** Where health is served; undefined before it is. */
  readonly url: string | undefined;
  readonly isLeader: boolean;
  /** Adds a controller or a runnable; only before `run`. */
  add(...parts: readonly Part[]): Manager;
  /** Runs until aborted or the lease is lost; rejects with the error of the part that failed. Once. */
  run(signal: AbortSignal): Promise<ManagerEnd>;
}

export function createManager(options: ManagerOptions): Manager {
  const { clock, logger, random = systemRandom } = options;
  const identity = options.election?.identity ?? `${hostname()}_${randomUUID()}`;
  const fence = new LeaseFence(clock);
  const client = options.connect(fence);
  const registry = options.registry ?? new Registry();
  const onError = (error: unknown): void => logger.error({ err: error }, "informer handler failed");
  const informers = createInformers({ client, clock, random, onError });
  const reporter = options.reporter ?? { controller: "metalwright", instance: identity };
  const numbers = managerMetrics(registry);
  const events = new EventRecorder({ client, clock, reporter, onDropped: numbers.eventDropped });
  const { passes } = options;
  const metrics = controllerMetrics(registry);
  const runtime: Runtime = { client, informers, clock, random, logger, metrics, events, ...(passes ? { passes } : {}) };
  const parts: Part[] = [];
  let run: ManagerRun | undefined;
  const manager: Manager = {
    client,
    fence,
    informers,
    registry,
    runtime,
    get url() {
      return run?.url;
    },
    get isLeader() {
      return run?.leads ?? false;
    },
    add(...more) {
      if (run) throw new Error("parts are added before the manager runs");
      for (const part of more) {
        if (parts.some(({ name }) => name === part.name)) throw new Error(`two parts are called "${part.name}"`);
        if (isController(part)) part.prepare(runtime);
        parts.push(part);
      }
      return manager;
    },
    run(signal) {
      if (run) throw new Error("a manager runs once");
      run = new ManagerRun(
        { ...options, drainMs: options.drainMs ?? seconds(20) },
        { identity, fence, runtime, numbers },
      );
      return run.run({ parts, informers, events, registry }, signal);
    },
  };
  return manager;
}
