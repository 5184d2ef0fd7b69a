/**
 * Runs a controller: listens to what wakes it, hands keys to workers, and makes of every way a pass can end what should
 * happen to its key. Nothing thrown in a pass leaves its worker.
 */
import { setMaxListeners } from "node:events";
import { type Random, seconds } from "#clock";
import type { KubeObject, ObjectKey } from "#kinds";
import { Deadline } from "../client/deadline.ts";
import { keyOf, parseKey } from "../informer/informer.ts";
import { createWorkQueue } from "../queue/create-work-queue.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { ControllerOptions } from "./controller.ts";
import { listen } from "./listen.ts";
import { type Pass, runPass } from "./pass.ts";
import { settlePass } from "./pass-end.ts";
import type { Runtime, Stopping } from "./runtime.ts";

const PASS_TIMEOUT_MS = seconds(60);

export async function runController<T extends KubeObject, F, A>(
  options: ControllerOptions<T, F, A>,
  runtime: Runtime,
  stopping: Stopping,
): Promise<void> {
  // Every waiting worker listens to `stop` and every pass to `kill`; that is no leak.
  setMaxListeners(0, stopping.stop, stopping.kill);
  const queue = namedQueue(options.name, runtime);
  const hush = listen(options, runtime, queue);
  const workers = Array.from({ length: options.concurrency ?? 1 }, () => work(options, { runtime, queue, stopping }));
  await Promise.all(workers);
  hush();
  queue.shutDown();
}

interface Workplace {
  readonly runtime: Runtime;
  readonly queue: WorkQueue;
  readonly stopping: Stopping;
}

async function work<T extends KubeObject, F, A>(
  options: ControllerOptions<T, F, A>,
  { runtime, queue, stopping }: Workplace,
): Promise<void> {
  const { stop } = stopping;
  for (let key = await queue.take(stop); key !== undefined; key = await queue.take(stop)) {
    if (stop.aborted) {
      queue.done(key);
      return;
    }
    await passOver(parseKey(key), options, { runtime, queue, stopping });
    queue.done(key);
  }
}

/** One pass from key to key's fate; never rejects. */
async function passOver<T extends KubeObject, F, A>(
  key: ObjectKey,
  options: ControllerOptions<T, F, A>,
  { runtime, queue, stopping }: Workplace,
): Promise<void> {
  const { clock, metrics, logger } = runtime;
  const reconcileId = freshId(runtime.random);
  const log = logger.child({ controller: options.name, object: keyOf(key), reconcileId });
  const timeoutMs = options.passTimeoutMs ?? PASS_TIMEOUT_MS;
  // Not AbortSignal.any: on Node 20 every signal made of a long-lived one is kept as long as that one.
  const deadline = new Deadline(clock, timeoutMs, stopping.kill);
  const { signal } = deadline;
  signal.addEventListener("abort", () => deadline.passed && log.warn({ timeoutMs }, "pass overdue, told to stop"));
  const object = runtime.informers.informer(options.kind, options.scope).get(key);
  const pass: Pass<T> = { key, object, reconcileId, log, signal };
  const began = clock.monotonic();
  metrics.active(options.name, 1);
  const end = await runPass(options, runtime, pass);
  deadline.dispose();
  metrics.active(options.name, -1);
  const result = settlePass(end, { queue, pass, clock, stopping });
  metrics.pass(options.name, result, (clock.monotonic() - began) / 1000);
}

function namedQueue(name: string, { clock, random, metrics }: Runtime): WorkQueue {
  return createWorkQueue({
    clock,
    jitter: { random, share: 0.2 },
    observer: {
      depth: (keys) => metrics.depth(name, keys),
      waited: (milliseconds) => metrics.waited(name, milliseconds / 1000),
      retried: () => metrics.retried(name),
    },
  });
}

function freshId(random: Random): string {
  const half = (): string =>
    Math.floor(random.next() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return half() + half();
}
