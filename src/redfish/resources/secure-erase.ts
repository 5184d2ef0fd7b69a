/** Secure erase of a drive by its BMC. Destroys data: the caller has made sure that this is the drive and the time. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import type { CallOptions, RedfishService } from "../protocol/service.ts";
import type { Drive } from "./storage.ts";
import { taskMonitorOf } from "./task.ts";

export interface StartedErase {
  /** Undefined when the BMC says that it is done. */
  readonly monitor?: string;
}

/** Starts the erase of exactly the drive that was read: the serial number is checked again right before. */
export async function eraseDrive(
  service: RedfishService,
  drive: Drive,
  options: CallOptions = {},
): Promise<Outcome<StartedErase>> {
  if (drive.secureErase === undefined) return failure("NotSupported", `${drive.path} offers no secure erase`);
  const now = await service.get(drive.path, options);
  if (!now.ok) return now;
  if (now.value.body.SerialNumber !== drive.serialNumber)
    return failure("Refused", `${drive.path} is another drive now: nothing was erased`);
  const answer = await service.post(drive.secureErase, {}, options);
  if (!answer.ok) return answer;
  const monitor = taskMonitorOf(service, answer.value);
  return success(monitor === undefined ? {} : { monitor });
}
