/** Actions as resources offer them: where to send them and what they take. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import { readRecord, readRecords, readString, readStrings } from "../protocol/read.ts";
import type { CallOptions, RedfishService, Resource } from "../protocol/service.ts";

export interface Action {
  readonly name: string;
  readonly target: string;
  readonly actionInfo?: string;
  /** The action's own object, with its annotations. */
  readonly body: unknown;
}

/** The action a resource offers under this name, such as "#ComputerSystem.Reset". */
export function actionOf({ path, body }: Resource, name: string): Outcome<Action> {
  const action = readRecord(readRecord(body, "Actions"), name);
  const target = readString(action, "target");
  if (target === undefined) return failure("NotSupported", `${path} offers no action ${name.replace("#", "")}`);
  const actionInfo = readString(action, "@Redfish.ActionInfo");
  return success({ name, target, body: action, ...(actionInfo === undefined ? {} : { actionInfo }) });
}

/**
 * The values a parameter may have: as the action lists them, else as its ActionInfo does.
 * Undefined when the BMC does not say, so that anything may be tried.
 */
export async function allowableValues(
  service: RedfishService,
  { body, actionInfo }: Action,
  parameter: string,
  options: CallOptions = {},
): Promise<Outcome<readonly string[] | undefined>> {
  const listed = readStrings(body, `${parameter}@Redfish.AllowableValues`);
  if (listed.length > 0) return success(listed);
  if (actionInfo === undefined) return success(undefined);
  const info = await service.get(actionInfo, options);
  if (!info.ok) return info.failure.code === "NotFound" ? success(undefined) : info;
  const described = readRecords(info.value.body, "Parameters").find((entry) => readString(entry, "Name") === parameter);
  const values = readStrings(described, "AllowableValues");
  return success(values.length > 0 ? values : undefined);
}
