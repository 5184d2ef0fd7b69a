/** For tests: what shows that a row of vendor differences is needed. */
import type { Quirks } from "../../protocol/quirks.ts";

export interface Scenario {
  /** What a person would see happen at a BMC that behaves as the row says, as a small value. */
  readonly see: (quirks: Quirks) => Promise<unknown>;
  readonly withRow: unknown;
}
