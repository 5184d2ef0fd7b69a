import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draw, drawSerial, drawUuid, macOf } from "./seed.ts";

describe("draws", () => {
  it("depend on every part and on nothing else", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.string(), (seed, index, what) => {
        expect(draw(seed, index, what)).toBe(draw(seed, index, what));
        expect(drawUuid(seed, index, what)).not.toBe(drawUuid(seed, index + 1, what));
        expect(drawUuid(seed, index, what)).not.toBe(drawUuid(seed + 1, index, what));
      }),
    );
  });

  it("do not collide within ten thousand machines", () => {
    const all = Array.from({ length: 10_000 }, (_, at) => at);
    expect(new Set(all.map((at) => drawUuid(7, at))).size).toBe(10_000);
    expect(new Set(all.map((at) => drawSerial(7, 7, at))).size).toBe(10_000);
    expect(new Set(all.map((at) => macOf("02:6d:77", at))).size).toBe(10_000);
  });

  it("look like what they are", () => {
    fc.assert(
      fc.property(fc.nat(), (at) => {
        expect(drawUuid(at)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(drawSerial(7, at)).toMatch(/^[0-9A-HJ-NP-Z]{7}$/);
        expect(macOf("02:6d:77", at)).toMatch(/^02:6d:77(:[0-9a-f]{2}){3}$/);
      }),
    );
  });
});
