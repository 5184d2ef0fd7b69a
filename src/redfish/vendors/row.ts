/** The form of one row of vendor differences. */
import type { Quirks } from "../protocol/quirks.ts";

export interface Quirk {
  readonly id: string;
  /** All that are given must match what the BMC says of itself. */
  readonly applies: {
    readonly manufacturer?: RegExp;
    readonly model?: RegExp;
    readonly manager?: RegExp;
    readonly firmware?: RegExp;
  };
  /** What was seen, and where it is told. */
  readonly because: string;
  readonly effect: Quirks;
}
