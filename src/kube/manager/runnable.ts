/** Something that runs as long as its manager does. */
import type { Controller } from "../controller/controller.ts";

export interface Runnable {
  readonly name: string;
  /** False: runs on every replica from the start. Otherwise only while this one leads. */
  readonly needsLeadership?: boolean;
  /**
   * Works until `stop` is aborted and then finishes what it began; when `kill` is aborted it ends at once.
   * Rejecting stops the whole manager with that error; returning early is fine.
   */
  run(stop: AbortSignal, kill: AbortSignal): Promise<void>;
}

export type Part = Controller | Runnable;

export function isController(part: Part): part is Controller {
  return "prepare" in part;
}
