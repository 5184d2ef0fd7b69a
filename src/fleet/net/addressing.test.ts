import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, indexOf } from "./addressing.ts";

describe("addresses", () => {
  it("belong to one BMC each, and lead back to it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999 }), (index) => {
        expect(addressOf(index)).toMatch(/^127\.\d+\.\d+\.\d+$/);
        expect(indexOf(addressOf(index))).toBe(index);
        expect(indexOf(`::ffff:${addressOf(index)}`)).toBe(index);
      }),
    );
    expect(addressOf(0)).toBe("127.1.0.1");
  });

  it("outside the loopback range belong to nobody, 127.0.0.1 to the control API", () => {
    expect(indexOf("127.0.0.1")).toBe(-1);
    fc.assert(
      fc.property(
        fc.ipV4().filter((address) => !address.startsWith("127.")),
        (address) => {
          expect(indexOf(address)).toBeUndefined();
        },
      ),
    );
    for (const odd of ["", "::1", "fe80::1", "127.0.0"]) expect(indexOf(odd)).toBeUndefined();
  });

  it("below the first BMC are no BMC", () => {
    expect(indexOf("127.0.0.2")).toBeLessThan(0);
  });
});
