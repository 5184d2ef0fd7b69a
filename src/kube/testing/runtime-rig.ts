/** A runtime on an in-memory API under virtual time, for tests of controllers: no network, no waiting. */
import { pino } from "pino";
import { Registry } from "prom-client";
import { seededRandom, settle, VirtualClock } from "#clock";
import type { KubeObject } from "#kinds";
import type { Controller } from "../controller/controller.ts";
import type { Announcement } from "../controller/decision.ts";
import { controllerMetrics } from "../controller/metrics.ts";
import { PassRecorder } from "../controller/pass-recorder.ts";
import type { Runtime } from "../controller/runtime.ts";
import { createInformers } from "../informer/informers.ts";
import { MemoryApi } from "./memory-api.ts";

export interface RuntimeRig {
  readonly clock: VirtualClock;
  readonly api: MemoryApi;
  readonly runtime: Runtime;
  readonly passes: PassRecorder;
  readonly announced: readonly (Announcement & { readonly name: string | undefined })[];
  /** Log lines so far, parsed. */
  readonly log: readonly Record<string, unknown>[];
  /** The value of a metric with exactly these labels. */
  metric(name: string, labels: Record<string, string>): Promise<number | undefined>;
  /** Starts the controller and lets it see what is there. */
  start(controller: Controller): Promise<void>;
  readonly stop: AbortController;
  readonly kill: AbortController;
  /** Stops everything and waits for it. */
  end(): Promise<void>;
}

export function runtimeRig(): RuntimeRig {
  const clock = new VirtualClock();
  const api = new MemoryApi({ clock });
  const random = seededRandom(1);
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: "debug" }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const informers = createInformers({ client: api, clock, random, onError: (error) => logger.error({ err: error }) });
  const registry = new Registry();
  const announced: (Announcement & { name: string | undefined })[] = [];
  const record = (object: KubeObject, said: Announcement): void =>
    void announced.push({ name: object.metadata.name, ...said });
  const passes = new PassRecorder();
  const metrics = controllerMetrics(registry);
  const runtime = { client: api, informers, clock, random, logger, metrics, events: { record }, passes };
  const [stop, kill, close] = [new AbortController(), new AbortController(), new AbortController()];
  const running: Promise<void>[] = [];
  return {
    clock,
    api,
    runtime,
    passes,
    announced,
    log,
    stop,
    kill,
    async metric(name, labels) {
      const wanted = JSON.stringify(Object.entries(labels).sort());
      const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
      return values.find((value) => JSON.stringify(Object.entries(value.labels).sort()) === wanted)?.value;
    },
    async start(controller) {
      controller.prepare(runtime);
      if (running.length === 0) running.push(informers.run(close.signal));
      await settle();
      running.push(controller.run(runtime, stop.signal, kill.signal));
      await settle();
    },
    async end() {
      stop.abort();
      close.abort();
      await settle();
      await Promise.all(running);
    },
  };
}
