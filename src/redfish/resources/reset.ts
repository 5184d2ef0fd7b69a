/** Power: every reset type that a system or manager offers, and none that it does not. Never waits for the effect. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import type { Accepted, CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { type Action, actionOf, allowableValues } from "./action.ts";
import { powerStateOf } from "./system.ts";

export const resetTypes = [
  "On",
  "ForceOn",
  "ForceOff",
  "GracefulShutdown",
  "GracefulRestart",
  "ForceRestart",
  "PowerCycle",
  "FullPowerCycle",
  "Nmi",
  "PushPowerButton",
  "Suspend",
  "Resume",
  "Pause",
] as const;
export type ResetType = (typeof resetTypes)[number];

/** What came of a reset: sent, or not needed because the machine is as asked. */
export type ResetResult = { readonly sent: true; readonly accepted: Accepted } | { readonly sent: false };

/** The reset types a system takes; undefined when its BMC does not say. */
export async function offeredResetTypes(
  service: RedfishService,
  system: Resource,
  options: CallOptions = {},
): Promise<Outcome<readonly string[] | undefined>> {
  const action = actionOf(system, "#ComputerSystem.Reset");
  return action.ok ? allowableValues(service, action.value, "ResetType", options) : action;
}

/** Resets the system as it was just read. Nothing is sent when it is already in the state that the type would bring. */
export async function resetSystem(
  service: RedfishService,
  system: Resource,
  type: ResetType,
  options: CallOptions = {},
): Promise<Outcome<ResetResult>> {
  if (isAlreadyThere(system, type)) return success({ sent: false });
  const action = actionOf(system, "#ComputerSystem.Reset");
  if (!action.ok) return action;
  const allowed = await refuseUnlisted(service, action.value, type, options);
  if (!allowed.ok) return allowed;
  const answer = await service.post(action.value.target, { ResetType: type }, options);
  if (answer.ok) return success({ sent: true, accepted: answer.value });
  const raced = service.quirks.refusesSameState && answer.failure.status === 409;
  return raced ? unlessThere(service, system, { type, refused: answer, options }) : answer;
}

interface Refused {
  readonly type: ResetType;
  readonly refused: Outcome<never>;
  readonly options: CallOptions;
}

/** A 409 is fine when the machine got there by itself between the read and the reset. */
async function unlessThere(
  service: RedfishService,
  { path }: Resource,
  { type, refused, options }: Refused,
): Promise<Outcome<ResetResult>> {
  const now = await service.get(path, options);
  return now.ok && isAlreadyThere(now.value, type) ? success({ sent: false }) : refused;
}

const leadsTo: Partial<Record<ResetType, string>> = {
  On: "On",
  ForceOn: "On",
  ForceOff: "Off",
  GracefulShutdown: "Off",
};

/** Only a settled state counts: a machine that is powering off still needs to be told to be on. */
function isAlreadyThere({ body }: Resource, type: ResetType): boolean {
  const target = leadsTo[type];
  return target !== undefined && powerStateOf(body) === target;
}

async function refuseUnlisted(
  service: RedfishService,
  action: Action,
  type: string,
  options: CallOptions,
): Promise<Outcome<undefined>> {
  const values = await allowableValues(service, action, "ResetType", options);
  if (!values.ok) return values;
  if (values.value === undefined || values.value.includes(type)) return success(undefined);
  return failure("NotSupported", `${action.target} offers ${values.value.join(", ")} and not ${type}`);
}

/** Restarts the BMC itself. Its sessions and sockets end with it. */
export async function resetManager(
  service: RedfishService,
  manager: Resource,
  type: "GracefulRestart" | "ForceRestart" = "GracefulRestart",
  options: CallOptions = {},
): Promise<Outcome<Accepted>> {
  const action = actionOf(manager, "#Manager.Reset");
  if (!action.ok) return action;
  const values = await allowableValues(service, action.value, "ResetType", options);
  if (!values.ok) return values;
  const typeless = service.quirks.managerResetWithoutType && values.value === undefined;
  if (values.value && !values.value.includes(type))
    return failure("NotSupported", `${action.value.target} offers ${values.value.join(", ")} and not ${type}`);
  return service.post(action.value.target, typeless ? {} : { ResetType: type }, options);
}
