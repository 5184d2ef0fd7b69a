import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PowerState } from "#redfish";
import { PowerDebounce } from "./power-debounce.ts";

const states = fc.array(fc.constantFrom<PowerState | undefined>("On", "Off", "PoweringOn", undefined), {
  maxLength: 30,
});

describe("power debounce", () => {
  it.each([
    [["On"], undefined],
    [["On", "On"], "On"],
    [["On", "On", "Off"], "On"],
    [["On", "On", "Off", "On"], "On"],
    [["On", "On", "Off", "Off"], "Off"],
    [["On", "Off", "On", "Off"], undefined],
    [["On", undefined, "On"], "On"],
    [["Off", "Off", undefined], "Off"],
  ] as const)("%j counts as %s", (seen, counts) => {
    const debounce = new PowerDebounce();
    let last: PowerState | undefined;
    for (const state of seen) last = debounce.observe(state);
    expect(last).toBe(counts);
  });

  it("changes only to a state that was just seen twice in a row", () => {
    fc.assert(
      fc.property(states, (seen) => {
        const debounce = new PowerDebounce();
        let before: PowerState | undefined;
        for (const [at, state] of seen.entries()) {
          const counts = debounce.observe(state);
          const shown = seen.slice(0, at + 1).filter((one) => one !== undefined);
          if (counts !== before) expect(shown.slice(-2)).toEqual([counts, counts]);
          before = counts;
        }
      }),
    );
  });
});
