/** What every controller of a process shares. Made by the manager; a test makes one by hand. */

import type { Logger } from "pino";
import type { Clock, Random } from "#clock";
import type { Kind, KubeObject } from "#kinds";
import type { Client } from "../client/client.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { Informer, InformerOptions } from "../informer/informer.ts";
import type { ControllerMetrics } from "./metrics.ts";
import type { PassRecorder } from "./pass-recorder.ts";

/** Hands out one informer per kind and options, shared by all who ask. */
export interface InformerSource {
  informer<T extends KubeObject>(kind: Kind<T>, options?: InformerOptions<T>): Informer<T>;
}

export interface Runtime {
  readonly client: Client;
  readonly informers: InformerSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: ControllerMetrics;
  readonly events: Pick<EventRecorder, "record">;
  /** Keeps facts and decisions of recent passes, for replay. */
  readonly passes?: PassRecorder;
}

/** When to take no more keys, and when to end even what is running. */
export interface Stopping {
  readonly stop: AbortSignal;
  readonly kill: AbortSignal;
}
