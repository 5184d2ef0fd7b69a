import fc from "fast-check";
import { expect, it } from "vitest";
import { minutes, seededRandom, VirtualClock } from "#clock";
import { type FailureCode, failure, type Outcome, success } from "#redfish";
import { Lane } from "./lane.ts";

const codes = ["ok", "TimedOut", "Unreachable", "Refused", "Busy", "Fenced"] as const;

const exchanges = fc.array(
  fc.record({
    startMs: fc.nat(20_000),
    tookMs: fc.nat(4_000),
    code: fc.constantFrom(...codes),
    share: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
    changes: fc.boolean(),
    urgent: fc.boolean(),
    patienceMs: fc.option(fc.integer({ min: 0, max: 8_000 }), { nil: undefined }),
    abortAfterMs: fc.option(fc.nat(5_000), { nil: undefined }),
  }),
  { maxLength: 40 },
);

it("a lane never does more at a time than it may, always ends what was asked, and keeps nothing", async () => {
  await fc.assert(
    fc.asyncProperty(exchanges, fc.integer({ min: 1, max: 4 }), fc.nat(30_000), async (asked, width, closeAtMs) => {
      const clock = new VirtualClock();
      const lane = new Lane({ key: "http://b:80", clock, random: seededRandom(1), width });
      let running = 0;
      let ended = 0;
      const perform = (tookMs: number, code: (typeof codes)[number]) => async (signal: AbortSignal) => {
        expect(++running).toBeLessThanOrEqual(width);
        const aborted = await clock.sleep(tookMs, signal).then(
          () => false,
          () => true,
        );
        running--;
        const outcome: Outcome<string> = code === "ok" ? success("done") : failure(code as FailureCode, "it said so");
        return aborted ? failure<string>("ConnectionLost", "aborted") : outcome;
      };
      for (const { startMs, tookMs, code, share, patienceMs, abortAfterMs, ...turn } of asked) {
        clock.after(startMs, () => {
          const stop = new AbortController();
          if (abortAfterMs !== undefined) clock.after(abortAfterMs, () => stop.abort(new Error("called off")));
          const exchange = {
            attempt: "GET /",
            ...turn,
            signal: stop.signal,
            ...(share === undefined ? {} : { share, changes: false }),
            ...(patienceMs === undefined ? {} : { deadlineAt: clock.monotonic() + patienceMs }),
          };
          void lane.run(exchange, perform(tookMs, code)).then(() => ended++);
        });
      }
      clock.after(closeAtMs, () => void lane.close(1_000));
      // Sooner than an unused patience of five minutes would end by itself.
      await clock.advance(minutes(2));
      expect(ended).toBe(asked.length);
      expect(lane.detail()).toMatchObject({ inFlight: 0, waiting: 0 });
      expect(clock.pendingTimers).toBe(0);
    }),
    { numRuns: 60 },
  );
});
