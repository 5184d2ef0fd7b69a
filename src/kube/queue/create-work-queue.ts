/** The work queue: who may work on which key, and when. Owns its delays; `shutDown` ends them. */
import type { Clock, Random } from "#clock";
import { DelayedKeys } from "./delayed-keys.ts";
import { WaitingLine } from "./waiting-line.ts";
import type { AddOptions, WorkQueue } from "./work-queue.ts";

/** Told as things happen, for metrics; must be quick and must not throw. */
export interface QueueObserver {
  /** How many keys are ready now. */
  depth?(keys: number): void;
  /** How long a key was ready before it was taken. */
  waited?(milliseconds: number): void;
  /** How long a worker kept a key. */
  worked?(milliseconds: number): void;
  retried?(): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** The first back-off; 5 ms unless said otherwise. */
  readonly baseDelayMs?: number;
  /** The longest back-off; 1000 s unless said otherwise. */
  readonly maxDelayMs?: number;
  /** Up to which share of a back-off is taken off at random, so that keys which failed together do not come back together. */
  readonly jitter?: { readonly random: Random; readonly share: number };
  readonly observer?: QueueObserver;
}

export function createWorkQueue(options: WorkQueueOptions): WorkQueue {
  return new KeyedQueue(options);
}

/** A key in a worker's hands: since when, and whether it was added again meanwhile. */
interface Work {
  readonly since: number;
  again: number | undefined;
}

class KeyedQueue implements WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #clock: Clock;
  readonly #line = new WaitingLine();
  readonly #delayed: DelayedKeys;
  readonly #working = new Map<string, Work>();
  readonly #failures = new Map<string, number>();
  readonly #takers = new Set<(key: string | undefined) => void>();
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#delayed = new DelayedKeys(options.clock, (key, priority) => this.add(key, { priority }));
  }

  get length(): number {
    return this.#line.length;
  }

  add(key: string, { priority = 0 }: AddOptions = {}): void {
    if (this.#closed) return;
    if (Number.isNaN(priority)) throw new RangeError(`add "${key}": priority is not a number`);
    const work = this.#working.get(key);
    if (work) work.again = Math.max(work.again ?? priority, priority);
    else this.#join(key, priority);
  }

  addAfter(key: string, delayMs: number, options: AddOptions = {}): void {
    if (!Number.isFinite(delayMs)) throw new RangeError(`addAfter "${key}": the delay of ${delayMs} ms is not finite`);
    if (delayMs <= 0) this.add(key, options);
    else if (!this.#closed) this.#delayed.add(key, delayMs, options.priority ?? 0);
  }

  addRateLimited(key: string, options?: AddOptions): void {
    if (this.#closed) return;
    const failures = this.retries(key);
    this.#failures.set(key, failures + 1);
    this.#options.observer?.retried?.();
    this.addAfter(key, this.#backOff(failures), options);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  retries(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  take(signal?: AbortSignal): Promise<string | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined);
    if (this.#line.length > 0) return Promise.resolve(this.#handOut());
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const taker = (key: string | undefined): void => {
        this.#takers.delete(taker);
        signal?.removeEventListener("abort", onAbort);
        resolve(key);
      };
      const onAbort = (): void => taker(undefined);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#takers.add(taker);
    });
  }

  done(key: string): void {
    const work = this.#working.get(key);
    if (!work) return;
    this.#working.delete(key);
    this.#options.observer?.worked?.(this.#clock.monotonic() - work.since);
    if (work.again !== undefined) this.#join(key, work.again);
  }

  shutDown(): void {
    this.#closed = true;
    this.#delayed.clear();
    // Takers wait only while nothing else does, so there is nothing left for them.
    for (const taker of [...this.#takers]) taker(undefined);
  }

  #join(key: string, priority: number): void {
    this.#line.join(key, priority, this.#clock.monotonic());
    const [taker] = this.#takers;
    if (taker) taker(this.#handOut());
    else this.#options.observer?.depth?.(this.#line.length);
  }

  #handOut(): string | undefined {
    const place = this.#line.leave();
    if (!place) return undefined;
    const since = this.#clock.monotonic();
    this.#working.set(place.key, { since, again: undefined });
    this.#options.observer?.waited?.(since - place.since);
    this.#options.observer?.depth?.(this.#line.length);
    return place.key;
  }

  #backOff(failures: number): number {
    const { baseDelayMs = 5, maxDelayMs = 1_000_000, jitter } = this.#options;
    const delay = Math.min(baseDelayMs * 2 ** failures, maxDelayMs);
    return jitter ? delay * (1 - jitter.share * jitter.random.next()) : delay;
  }
}
