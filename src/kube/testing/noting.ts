/** A controller that only notes what it looked at, with whatever a test changes about it. For tests only. */
import type { Condition, KubeObject } from "#kinds";
import { type Controller, type ControllerOptions, controller, type Look } from "../controller/controller.ts";
import type { Decision } from "../controller/decision.ts";
import { Box } from "./box.ts";

/** A second kind beside Box. */
export const Crate = { ...Box, kind: "Crate", plural: "crates" };

export const nothing: Decision = { writes: [], hardware: [], conditions: [], reason: "nothing to do" };

export function noting(over: Partial<ControllerOptions<Box, Box, never>> = {}): {
  readonly seen: string[];
  readonly controller: Controller;
} {
  const seen: string[] = [];
  const observe = ({ object }: Look<Box>): Box => {
    seen.push(`${object.metadata.name}`);
    return object;
  };
  return { seen, controller: controller({ name: "noting", kind: Box, observe, decide: () => nothing, ...over }) };
}

export function conditionsOf(object: KubeObject | undefined): readonly Condition[] {
  return (object as { status?: { conditions?: Condition[] } } | undefined)?.status?.conditions ?? [];
}
