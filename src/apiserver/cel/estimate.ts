/** Ranges of sizes and costs, saturating where upstream's 64 bits do. */

/** Stands for "no limit known". */
export const unlimited = 2 ** 64;

export interface Range {
  readonly min: number;
  readonly max: number;
}

export const fixed = (n: number): Range => ({ min: n, max: n });
export const unknown: Range = { min: 0, max: unlimited };

const cap = (n: number): number => (n >= unlimited || Number.isNaN(n) ? unlimited : n);

export const add = (a: Range, b: Range): Range => ({ min: cap(a.min + b.min), max: cap(a.max + b.max) });

/** Zero times anything is zero, also where the other side has no limit. */
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : cap(a * b));

export const multiply = (a: Range, b: Range): Range => ({ min: times(a.min, b.min), max: times(a.max, b.max) });
export const scale = (a: Range, factor: number): Range => ({
  min: cap(Math.ceil(a.min * factor)),
  max: cap(Math.ceil(a.max * factor)),
});
export const union = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
export const sum = (ranges: readonly Range[]): Range => ranges.reduce(add, fixed(0));
