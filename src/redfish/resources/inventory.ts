/** Everything a BMC knows about its hardware, in the fewest requests it allows: each resource is asked for once. */
import { type Failure, type Outcome, success } from "../protocol/outcome.ts";
import type { CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { Survey } from "../protocol/survey.ts";
import { type Chassis, chassisOf } from "./chassis.ts";
import { type FirmwareEntry, readFirmwareInventory } from "./firmware-inventory.ts";
import { type Introduction, introduce } from "./introduction.ts";
import { type MemoryModule, memoryModuleOf } from "./memory.ts";
import { type NetworkInterface, networkInterfaceOf } from "./network-interface.ts";
import { isGpu, type Processor, processorOf } from "./processor.ts";
import { isAbsent } from "./status.ts";
import { readStorage, type Storage } from "./storage.ts";
import type { System } from "./system.ts";

export interface SystemInventory {
  readonly system: System;
  readonly processors: readonly Processor[];
  readonly gpus: readonly Processor[];
  readonly memory: readonly MemoryModule[];
  readonly storage: readonly Storage[];
  readonly networkInterfaces: readonly NetworkInterface[];
  readonly chassis: readonly Chassis[];
}

export interface Inventory extends Introduction {
  readonly inventories: readonly SystemInventory[];
  readonly firmware: readonly FirmwareEntry[];
  /** What could not be read; the rest is complete. */
  readonly problems: readonly Failure[];
}

/** A failure only when the BMC itself is gone; a part that cannot be read is a problem beside the rest. */
export async function readInventory(service: RedfishService, options: CallOptions = {}): Promise<Outcome<Inventory>> {
  const survey = new Survey(service, options);
  const known = await introduce(survey);
  if (!known.ok) return known;
  const inventories: SystemInventory[] = [];
  for (const system of known.value.systems) inventories.push(await readSystem(survey, system));
  const firmware = await readFirmwareInventory(survey, known.value.root.updateService);
  if (survey.ended) return { ok: false, failure: survey.ended };
  return success({ ...known.value, inventories, firmware, problems: survey.problems });
}

async function readSystem(survey: Survey, system: System): Promise<SystemInventory> {
  const { links } = system;
  const processors = (await parts(survey, links.processors)).map(processorOf);
  return {
    system,
    processors: processors.filter((one) => !isGpu(one)),
    gpus: processors.filter(isGpu),
    memory: (await parts(survey, links.memory)).map(memoryModuleOf),
    storage: await readStorage(survey, system),
    networkInterfaces: (await survey.members(links.ethernetInterfaces)).map(networkInterfaceOf),
    chassis: (await survey.readAll(links.chassis)).map(chassisOf),
  };
}

/** Members that are really there: empty sockets are listed too. */
async function parts(survey: Survey, path: string | undefined): Promise<readonly Resource[]> {
  return (await survey.members(path)).filter(({ body }) => !isAbsent(body));
}
