/** A power state counts when it was seen twice in a row: BMCs say On for a moment while a machine goes off. */
import type { PowerState } from "#redfish";

/** The part of a watch that decides when a power state counts. */
export interface Debouncing {
  /** What counts after this observation; undefined as long as nothing does. A read that showed no state changes nothing. */
  observe(state: PowerState | undefined): PowerState | undefined;
}

export class PowerDebounce implements Debouncing {
  #last: PowerState | undefined;
  #counts: PowerState | undefined;

  observe(state: PowerState | undefined): PowerState | undefined {
    if (state === undefined) return this.#counts;
    if (state === this.#last) this.#counts = state;
    this.#last = state;
    return this.#counts;
  }
}
