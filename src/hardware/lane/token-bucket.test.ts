import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { TokenBucket } from "./token-bucket.ts";

describe("token bucket", () => {
  it("gives its burst at once, then at its rate", async () => {
    const clock = new VirtualClock();
    const bucket = new TokenBucket(clock, { perSecond: 2, burst: 3 });
    expect([bucket.take(), bucket.take(), bucket.take(), bucket.take(), bucket.take()]).toEqual([0, 0, 0, 500, 1000]);
    await clock.advance(60_000);
    expect([bucket.take(), bucket.take(), bucket.take(), bucket.take()]).toEqual([0, 0, 0, 500]);
  });

  it("never lets more through than burst plus rate times time", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 60 }),
        async (perSecond, burst, gaps) => {
          const clock = new VirtualClock();
          const bucket = new TokenBucket(clock, { perSecond, burst });
          const passes: number[] = [];
          for (const gap of gaps) {
            clock.jump(gap);
            passes.push(clock.monotonic() + bucket.take());
          }
          for (const [at, when] of passes.entries()) {
            const within = passes.slice(0, at + 1).filter((other) => other <= when).length;
            expect(within).toBeLessThanOrEqual(burst + (when / 1000) * perSecond + 1e-6);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
