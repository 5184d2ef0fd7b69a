/** The time and timers that every other room is given. Nothing outside this folder reads the system clock. */

/** A pending callback that can be called off. */
export interface Timer {
  cancel(): void;
}

/**
 * Wall time for what people read, monotonic time for every duration and deadline.
 * Tests pass a {@link VirtualClock}; programs pass {@link systemClock}.
 */
export interface Clock {
  /** Wall-clock time, for timestamps only; it may jump. */
  now(): Date;
  /** Milliseconds that never go back and keep counting while the process is stopped. */
  monotonic(): number;
  /** Calls `run` once after `delayMs` of monotonic time. */
  after(delayMs: number, run: () => void): Timer;
  /** Resolves after `delayMs`; rejects with the signal's reason when it is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** Numbers in [0, 1), injected so that a seed repeats a run. */
export interface Random {
  next(): number;
}

/** Milliseconds, spelled so that a duration carries its unit where it is written. */
export const milliseconds = (n: number): number => n;
export const seconds = (n: number): number => n * 1000;
export const minutes = (n: number): number => n * 60_000;
export const hours = (n: number): number => n * 3_600_000;
