/** A bucket per object: so many at once, then so many per time. Forgets objects that have been quiet. */
import type { Clock } from "#clock";

export interface BucketOptions {
  readonly burst: number;
  readonly refillMs: number;
  /** Buckets kept at most; the one longest unused goes first, which can only forgive. */
  readonly maxBuckets: number;
}

export class TokenBuckets {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #options: BucketOptions;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(clock: Pick<Clock, "monotonic">, options: BucketOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Takes one token for the object; false when it has none left. */
  take(object: string): boolean {
    const now = this.#clock.monotonic();
    const { burst, refillMs, maxBuckets } = this.#options;
    const bucket = this.#buckets.get(object) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) / refillMs);
    bucket.at = now;
    this.#buckets.delete(object);
    this.#buckets.set(object, bucket);
    if (this.#buckets.size > maxBuckets) {
      for (const [oldest] of this.#buckets) {
        this.#buckets.delete(oldest);
        break;
      }
    }
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  get size(): number {
    return this.#buckets.size;
  }
}
