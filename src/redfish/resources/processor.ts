/** Processors of a system, GPUs and other accelerators among them. */
import { readNumber, readRecord, readString, reported } from "../protocol/read.ts";
import type { Resource } from "../protocol/service.ts";
import { type Status, statusOf } from "./status.ts";

export interface Processor {
  readonly path: string;
  readonly id?: string;
  /** CPU, GPU, FPGA, DSP, Accelerator, …; CPU when the BMC does not say. */
  readonly type: string;
  readonly socket?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly architecture?: string;
  readonly instructionSet?: string;
  readonly maxSpeedMhz?: number;
  readonly cores?: number;
  readonly threads?: number;
  readonly serialNumber?: string;
  readonly memoryMib?: number;
  readonly status: Status;
}

export function processorOf({ path, body }: Resource): Processor {
  return {
    path,
    type: readString(body, "ProcessorType") ?? "CPU",
    ...reported({
      id: readString(body, "Id"),
      socket: readString(body, "Socket"),
      manufacturer: readString(body, "Manufacturer"),
      model: readString(body, "Model")?.trim(),
      architecture: readString(body, "ProcessorArchitecture"),
      instructionSet: readString(body, "InstructionSet"),
      maxSpeedMhz: readNumber(body, "MaxSpeedMHz"),
      cores: readNumber(body, "TotalCores"),
      threads: readNumber(body, "TotalThreads"),
      serialNumber: readString(body, "SerialNumber"),
      memoryMib: readNumber(readRecord(body, "MemorySummary"), "TotalMemorySizeMiB"),
    }),
    status: statusOf(body),
  };
}

export function isGpu({ type }: Processor): boolean {
  return type === "GPU" || type === "Accelerator";
}
