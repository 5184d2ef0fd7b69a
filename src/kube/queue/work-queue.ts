/** Keys that wait to be worked on: each at most once, never two workers on the same one. */

export interface AddOptions {
  /**
   * Larger goes first, first come first served within one; 0 unless said otherwise. A key waiting at a lower priority is
   * raised. No key starves: every tenth one handed out is the one that has waited longest, whatever its priority.
   */
  readonly priority?: number;
}

export interface WorkQueue {
  /** A key already waiting stays one entry; one being worked on is handed out again after `done`. */
  add(key: string, options?: AddOptions): void;
  /** Adds after a delay; the earliest of several delays for one key counts. */
  addAfter(key: string, delayMs: number, options?: AddOptions): void;
  /** Adds after the key's own back-off, which doubles with each call until `forget`. */
  addRateLimited(key: string, options?: AddOptions): void;
  /** Ends the key's back-off. */
  forget(key: string): void;
  /** How often the key was rate limited since it was last forgotten. */
  retries(key: string): number;
  /** The next key, which belongs to the caller until `done`; undefined once shut down and empty, or aborted. */
  take(signal?: AbortSignal): Promise<string | undefined>;
  done(key: string): void;
  /** Keys ready to be taken now. */
  readonly length: number;
  /** No more adds; what waits may be taken, delayed keys are dropped. */
  shutDown(): void;
}
