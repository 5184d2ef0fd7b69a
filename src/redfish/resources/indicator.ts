/** The light that helps to find a machine: LocationIndicatorActive, or the older IndicatorLED. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import type { CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { indicatorOf } from "./system.ts";

export type Indicator = "Lit" | "Blinking" | "Off";

/** What the light does now; undefined when the BMC does not say. */
export function indicatorState(resource: Pick<Resource, "body">): Indicator | undefined {
  const shown = indicatorOf(resource.body);
  if (shown?.led === "Lit" || shown?.led === "Blinking" || shown?.led === "Off") return shown.led;
  return shown?.active === undefined ? undefined : shown.active ? "Blinking" : "Off";
}

/** Switches the light; says whether anything had to be written. */
export async function setIndicator(
  service: RedfishService,
  resource: Resource,
  wanted: Indicator,
  options: CallOptions = {},
): Promise<Outcome<{ readonly changed: boolean }>> {
  const shown = indicatorOf(resource.body);
  if (shown === undefined) return failure("NotSupported", `${resource.path} has no indicator light`);
  if (isAsWanted(shown, wanted)) return success({ changed: false });
  const legacy = shown.led === undefined ? {} : { IndicatorLED: wanted };
  const modern = { LocationIndicatorActive: wanted !== "Off" };
  // The older property can say whether to blink; it is preferred where the light is to do more than be on.
  const first = shown.active === undefined ? legacy : shown.led === undefined ? modern : legacy;
  const written = await service.patch(resource, first, options);
  if (written.ok) return success({ changed: true });
  const hasOther = shown.active !== undefined && shown.led !== undefined;
  if (!hasOther || written.failure.code !== "Refused") return written;
  const second = await service.patch(resource, modern, options);
  return second.ok ? success({ changed: true }) : second;
}

function isAsWanted(shown: { readonly led?: string; readonly active?: boolean }, wanted: Indicator): boolean {
  if (shown.led !== undefined) return shown.led === wanted;
  return shown.active === (wanted !== "Off");
}
