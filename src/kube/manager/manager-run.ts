/** One life of a manager, phase by phase: serve, sync, lead, work, drain, give back, close. */

import type { Registry } from "prom-client";
import { seconds } from "#clock";
import type { Runtime } from "../controller/runtime.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { Informers } from "../informer/informers.ts";
import { Election } from "../leader/election.ts";
import type { LeaseFence } from "../leader/lease-fence.ts";
import { type HealthServer, startHealthServer } from "./health-server.ts";
import type { ManagerEnd, ManagerOptions } from "./manager.ts";
import type { ManagerMetrics } from "./metrics.ts";
import { isController, type Part } from "./runnable.ts";

/** After `kill`, what still has not ended is left behind and named in the log. */
const GRACE_MS = seconds(2);

interface Crew {
  readonly parts: readonly Part[];
  readonly informers: Informers;
  readonly events: EventRecorder;
  readonly registry: Registry;
}

interface Fittings {
  readonly identity: string;
  readonly fence: LeaseFence;
  readonly runtime: Runtime;
  readonly numbers: ManagerMetrics;
}

export class ManagerRun {
  readonly #options: ManagerOptions & { readonly drainMs: number };
  readonly #fittings: Fittings;
  readonly #stop = new AbortController();
  readonly #kill = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  #health: HealthServer | undefined;
  #failure: { readonly error: unknown } | undefined;
  #lost: string | undefined;
  #leads = false;

  constructor(options: ManagerOptions & { readonly drainMs: number }, fittings: Fittings) {
    this.#options = options;
    this.#fittings = fittings;
  }

  get leads(): boolean {
    return this.#leads;
  }

  get url(): string | undefined {
    return this.#health?.url;
  }

  async run(crew: Crew, signal: AbortSignal): Promise<ManagerEnd> {
    const { logger, serve } = this.#options;
    const unready = () => this.#unready(crew.informers);
    if (serve) this.#health = await startHealthServer(serve, { registry: crew.registry, unready });
    const onAbort = (): void => this.#stop.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const close = new AbortController();
    const informing = crew.informers.run(close.signal);
    const telling = new AbortController();
    const announcing = crew.events.run(telling.signal);
    this.#leading(false);
    const election = this.#election();
    const holding = new AbortController();
    try {
      this.#start(crew.parts.filter((part) => !needsLeadership(part)));
      const held = this.#lead(crew, election, holding.signal);
      await aborted(this.#stop.signal);
      await this.#drain();
      telling.abort();
      await announcing;
      holding.abort();
      await held;
    } finally {
      signal.removeEventListener("abort", onAbort);
      close.abort();
      await informing;
      if (this.#leads && this.#lost === undefined) await election?.release();
      this.#leading(false);
      await this.#health?.close();
    }
    logger.info({ lost: this.#lost, failed: this.#failure !== undefined }, "manager stopped");
    return this.#end();
  }

  #leading(leads: boolean): void {
    this.#leads = leads;
    const { election } = this.#options;
    if (election) this.#fittings.numbers.leading(election.lease.name, leads);
  }

  #end(): ManagerEnd {
    if (this.#failure) throw this.#failure.error;
    return this.#lost === undefined ? { ended: "stopped" } : { ended: "lease lost", reason: this.#lost };
  }

  /** Waits for caches, then for the lease, starts the work, and keeps the lease until told to let go. Never rejects. */
  async #lead(crew: Crew, election: Election | undefined, letGo: AbortSignal): Promise<void> {
    const { logger } = this.#options;
    const { signal } = this.#stop;
    try {
      await crew.informers.synced(signal);
      await election?.acquire(signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      return;
    }
    this.#leading(true);
    // Told to stop just now: the lease is given back at once, and nothing starts that nobody would wait for.
    if (signal.aborted) return;
    logger.info({ identity: this.#fittings.identity }, "leading");
    this.#start(crew.parts.filter(needsLeadership));
    const end = await election?.hold(letGo);
    if (!end?.lost) return;
    this.#lost = end.reason;
    logger.error({ reason: end.reason }, "lease lost, stopping at once");
    this.#kill.abort(new Error(`the lease was lost: ${end.reason}`));
    this.#stop.abort(this.#kill.signal.reason);
  }

  #start(parts: readonly Part[]): void {
    const { runtime } = this.#fittings;
    const [stop, kill] = [this.#stop.signal, this.#kill.signal];
    for (const part of parts) {
      const run = isController(part) ? () => part.run(runtime, stop, kill) : () => part.run(stop, kill);
      const ended = Promise.resolve()
        .then(run)
        .catch((error: unknown) => this.#fail(error, part.name))
        .finally(() => this.#running.delete(part.name));
      this.#running.set(part.name, ended);
    }
  }

  #fail(error: unknown, part?: string): void {
    if (this.#stop.signal.aborted && isAbort(error, this.#stop.signal, this.#kill.signal)) return;
    this.#options.logger.error({ err: error, part }, "a part failed, stopping");
    this.#failure ??= { error };
    this.#stop.abort(error);
  }

  /** Lets what runs finish within the deadline, then ends it. A lost lease has ended it already. */
  async #drain(): Promise<void> {
    const { clock, logger, drainMs } = this.#options;
    const finished = Promise.all([...this.#running.values()]).then(() => true);
    const patience = this.#kill.signal.aborted ? 0 : drainMs;
    if (await within(clock, patience, finished, this.#kill.signal)) return;
    this.#kill.abort(new Error(`the time to finish (${drainMs} ms) is over`));
    if (await within(clock, GRACE_MS, finished)) return;
    logger.error({ parts: [...this.#running.keys()] }, "left behind what would not end");
  }

  #unready(informers: Informers): string[] {
    const waiting = informers.all().filter((informer) => !informer.hasSynced);
    const lines = waiting.map(({ kind, lastError }) => {
      const why = lastError instanceof Error ? `: ${lastError.message}` : "";
      return `${kind.plural}: not synced yet${why}`;
    });
    return this.#stop.signal.aborted ? [...lines, "stopping"] : lines;
  }

  #election(): Election | undefined {
    const { election, clock, logger, connect } = this.#options;
    if (!election) return undefined;
    const { fence, identity, runtime } = this.#fittings;
    return new Election({
      client: connect(fence.renewal),
      clock,
      random: runtime.random,
      fence,
      lease: election.lease,
      identity,
      ...(election.timing ? { timing: election.timing } : {}),
      onLeader: (leader) => logger.info({ leader }, "leader changed"),
      onError: (error) => logger.warn({ err: error }, "lease attempt failed"),
    });
  }
}

function needsLeadership(part: Part): boolean {
  return isController(part) || part.needsLeadership !== false;
}

function isAbort(error: unknown, ...signals: readonly AbortSignal[]): boolean {
  return signals.some((signal) => signal.aborted && signal.reason === error) || (error as Error)?.name === "AbortError";
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Whether the promise resolved within the time, which an abort of `early` cuts short. */
async function within(
  clock: ManagerOptions["clock"],
  ms: number,
  promise: Promise<boolean>,
  early?: AbortSignal,
): Promise<boolean> {
  const done = new AbortController();
  const signal = early ? AbortSignal.any([done.signal, early]) : done.signal;
  const late = clock.sleep(ms, signal).then(
    () => false,
    () => false,
  );
  const result = await Promise.race([promise, late]);
  done.abort();
  await late;
  return result;
}
