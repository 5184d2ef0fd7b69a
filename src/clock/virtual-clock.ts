/** Time that moves only when a test says so; timers fire in order of their due time, then of their creation. */
import type { Clock, Random, Timer } from "./clock.ts";
import { sleepOn } from "./sleep.ts";

interface Pending {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

export class VirtualClock implements Clock {
  #elapsedMs = 0;
  #created = 0;
  readonly #startMs: number;
  readonly #pending = new Set<Pending>();

  constructor(start: Date = new Date("2026-01-01T00:00:00Z")) {
    this.#startMs = start.getTime();
  }

  now(): Date {
    return new Date(this.#startMs + this.#elapsedMs);
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, run: () => void): Timer {
    const pending: Pending = { due: this.#elapsedMs + Math.max(delayMs, 0), order: this.#created++, run };
    this.#pending.add(pending);
    return { cancel: () => this.#pending.delete(pending) };
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  /** How many timers wait; a test of clean shutdown expects none. */
  get pendingTimers(): number {
    return this.#pending.size;
  }

  /**
   * Moves time forward, firing what falls due on the way. Between two timers the microtask and
   * immediate queues run dry, so that what a timer set in motion happens at that timer's time.
   */
  async advance(byMs: number): Promise<void> {
    const target = this.#elapsedMs + byMs;
    await settle();
    for (let next = this.#nextDue(target); next; next = this.#nextDue(target)) {
      this.#pending.delete(next);
      this.#elapsedMs = Math.max(this.#elapsedMs, next.due);
      next.run();
      await settle();
    }
    this.#elapsedMs = Math.max(this.#elapsedMs, target);
  }

  /** Moves time without firing timers, as a stopped process experiences it. */
  jump(byMs: number): void {
    this.#elapsedMs += byMs;
  }

  #nextDue(target: number): Pending | undefined {
    let next: Pending | undefined;
    for (const p of this.#pending) {
      if (p.due > target) continue;
      if (!next || p.due < next.due || (p.due === next.due && p.order < next.order)) next = p;
    }
    return next;
  }
}

/** Lets every promise that can go on without time passing go on. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** A small repeatable generator (mulberry32): the same seed gives the same run on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = state;
      t = Math.imul(t ^ (t >>> 15), t | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
    },
  };
}
