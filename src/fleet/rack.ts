/** Where in the simulated halls a BMC stands: ten chassis to a rack, two units each, from the bottom up. */

export const BMCS_PER_RACK = 10;

export interface RackPlace {
  /** Counted from 1. */
  readonly rack: number;
  readonly name: string;
  /** Counted from 0 at the bottom. */
  readonly slot: number;
  /** The lowest unit it fills. */
  readonly unit: number;
}

export function rackPlace(index: number): RackPlace {
  const rack = 1 + Math.floor(index / BMCS_PER_RACK);
  const slot = index % BMCS_PER_RACK;
  return { rack, name: `rack-${rack}`, slot, unit: 1 + slot * 2 };
}
