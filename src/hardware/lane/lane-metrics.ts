/** What a lane tells about itself as numbers. No BMC is named: their number is unbounded. */
import type { BreakerState } from "./breaker.ts";

export type SessionMode = "none" | "token" | "basic" | "refused";

export interface LaneMetrics {
  /** One request on the wire ended. `outcome` is "ok" or a failure code. */
  requested(method: string, outcome: string, seconds: number): void;
  /** A read was answered by another one under way. */
  joined(): void;
  /** A lane's breaker changed; undefined when the lane begins or ends. */
  breaker(from: BreakerState | undefined, to: BreakerState | undefined): void;
  /** A lane's way of proving who we are changed; undefined when it begins or ends. */
  session(from: SessionMode | undefined, to: SessionMode | undefined): void;
}

export const noMetrics: LaneMetrics = {
  requested() {},
  joined() {},
  breaker() {},
  session() {},
};
