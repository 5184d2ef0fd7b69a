import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quirksFor } from "../vendors/quirk.ts";
import { COMMON_SPECIALS, makePassword } from "./password.ts";

const specials = fc.constantFrom(
  COMMON_SPECIALS,
  ...["Dell Inc.", "HPE", "Lenovo"].map(
    (manufacturer) => quirksFor({ manufacturer, model: "", manager: "", firmware: "" }).quirks.passwordSpecials ?? "",
  ),
);

describe("passwords", () => {
  it("keep every policy that can be kept: length, one of each kind, no other character", () => {
    const policy = fc
      .record({ minLength: fc.integer({ min: 0, max: 30 }), spare: fc.integer({ min: 0, max: 30 }), specials })
      .map(({ minLength, spare, specials: taken }) => ({
        minLength,
        maxLength: Math.max(4, minLength + spare),
        specials: taken,
      }));
    fc.assert(
      fc.property(policy, (wanted) => {
        const password = makePassword(wanted);
        expect(password.length).toBeGreaterThanOrEqual(Math.max(4, wanted.minLength));
        expect(password.length).toBeLessThanOrEqual(wanted.maxLength);
        for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/]) expect(password).toMatch(kind);
        const special = [...password].filter((one) => !/[a-zA-Z0-9]/.test(one));
        expect(special.length).toBeGreaterThan(0);
        for (const one of special) expect(wanted.specials).toContain(one);
      }),
    );
  });

  it("are made although the BMC does not say how long they may be", () => {
    expect(makePassword({ specials: COMMON_SPECIALS })).toHaveLength(20);
    expect(makePassword({ maxLength: 0, specials: COMMON_SPECIALS })).toHaveLength(20);
  });

  it("are refused where none is possible", () => {
    expect(() => makePassword({ maxLength: 3, specials: COMMON_SPECIALS })).toThrow(/no password has/);
    expect(() => makePassword({ minLength: 20, maxLength: 10, specials: COMMON_SPECIALS })).toThrow(/no password has/);
  });

  it("do not start with the same kind each time, and differ", () => {
    const made = Array.from({ length: 60 }, () => makePassword({ specials: COMMON_SPECIALS }));
    expect(new Set(made).size).toBe(60);
    expect(made.some((one) => !/^[a-z]/.test(one))).toBe(true);
  });
});
