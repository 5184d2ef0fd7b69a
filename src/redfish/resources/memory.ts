/** Memory modules of a system. */
import { readNumber, readString, reported } from "../protocol/read.ts";
import type { Resource } from "../protocol/service.ts";
import { type Status, statusOf } from "./status.ts";

export interface MemoryModule {
  readonly path: string;
  readonly id?: string;
  readonly name?: string;
  readonly capacityMib?: number;
  readonly deviceType?: string;
  readonly speedMhz?: number;
  readonly manufacturer?: string;
  readonly serialNumber?: string;
  readonly partNumber?: string;
  readonly locator?: string;
  readonly errorCorrection?: string;
  readonly status: Status;
}

export function memoryModuleOf({ path, body }: Resource): MemoryModule {
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      name: readString(body, "Name"),
      capacityMib: readNumber(body, "CapacityMiB"),
      deviceType: readString(body, "MemoryDeviceType"),
      speedMhz: readNumber(body, "OperatingSpeedMhz"),
      manufacturer: readString(body, "Manufacturer")?.trim(),
      serialNumber: readString(body, "SerialNumber")?.trim(),
      partNumber: readString(body, "PartNumber")?.trim(),
      locator: readString(body, "DeviceLocator"),
      errorCorrection: readString(body, "ErrorCorrection"),
    }),
    status: statusOf(body),
  };
}
