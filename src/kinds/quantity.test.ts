import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addQuantities,
  bytesToQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  quantityToNumber,
} from "./quantity.ts";
import { digitlessQuantities, notQuantities, oddlyWrittenQuantities, quantityVectors } from "./testing/vectors.ts";

function read(text: string | number): Quantity {
  const quantity = parseQuantity(text);
  if (!quantity) throw new Error(`${text} is no quantity`);
  return quantity;
}

const canonical = (text: string | number) => formatQuantity(read(text));
const limit = (2n ** 63n - 1n) * 1_000_000_000n;
const quantities = fc.record({
  nanos: fc.bigInt({ min: -limit, max: limit }),
  format: fc.constantFrom<QuantityFormat>("BinarySI", "DecimalSI", "DecimalExponent"),
});

describe("quantities", () => {
  it.each([...quantityVectors, ...oddlyWrittenQuantities])("%s is written %s", (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it.each([...notQuantities, ...digitlessQuantities])("%j is none", (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it("may be a number on the wire", () => {
    expect(canonical(5)).toBe("5");
    expect(canonical(0.5)).toBe("500m");
  });

  it("come back as they went: the same amount, the same text", () => {
    fc.assert(
      fc.property(quantities, (quantity) => {
        const text = formatQuantity(quantity);
        expect(canonical(text)).toBe(text);
        // Binary suffixes carry whole numbers only: what is finer was rounded away from zero.
        if (quantity.format !== "BinarySI") expect(read(text).nanos).toBe(quantity.nanos);
      }),
    );
  });

  it("are ordered as their amounts, however they are written", () => {
    expect(compareQuantities(read("1Gi"), read("1G"))).toBe(1);
    expect(compareQuantities(read("1024Mi"), read("1Gi"))).toBe(0);
    expect(compareQuantities(read("-1"), read("1m"))).toBe(-1);
    fc.assert(
      fc.property(quantities, quantities, (a, b) => {
        expect(compareQuantities(a, b)).toBe(-compareQuantities(b, a) + 0);
        expect(Math.sign(compareQuantities(a, b))).toBe(a.nanos === b.nanos ? 0 : a.nanos < b.nanos ? -1 : 1);
      }),
    );
  });

  it("add up and become numbers and bytes", () => {
    expect(formatQuantity(addQuantities(read("1Gi"), read("512Mi")))).toBe("1536Mi");
    expect(quantityToNumber(read("1500m"))).toBe(1.5);
    expect(quantityToNumber(read("-2Ki"))).toBe(-2048);
    expect(formatQuantity(bytesToQuantity(68_719_476_736))).toBe("64Gi");
  });

  it("never throw and never take long, whatever the text", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseQuantity(text)));
    expect(canonical("1e999999999")).toBe(canonical("9223372036854775807e0"));
    expect(canonical("1e-999999999")).toBe("1e-9");
  });
});
