/** What is known about a Server. Written by controllers only. */
import { Type } from "#kinds";
import { CleanupPolicy, IndicatorLED, PowerState, ServerState } from "../../names/states.ts";
import { intent } from "../../shapes/intent.ts";
import { health, inventory, networkInterface, processor, storage } from "./server-hardware.ts";

const text = (description: string) => Type.optional(Type.string(description));

const waitingFor = Type.object("What the server waits for before it goes on.", {
  what: Type.string("One word for what is missing, for example BootConfigurationReady."),
  since: Type.time("Since when it waits."),
  deadline: Type.optional(Type.time("When waiting ends and the server is treated as failed.")),
  message: Type.string("A sentence for people: what is missing and who can help."),
  attempts: Type.optional(Type.integer("How often it was tried.")),
  lastError: text("What came back from the last attempt."),
});

const wipedDisk = Type.object("What was done to one disk.", {
  name: Type.string("Name of the disk on the machine, for example nvme0n1."),
  serialNumber: text("Serial number of the disk."),
  model: text("Model of the disk."),
  class: Type.optional(Type.word("Class of the disk.", ["hdd", "ssd", "nvme"])),
  policy: Type.optional(Type.word("What was asked for this disk.", Object.values(CleanupPolicy))),
  method: text("What was done, for example nvme-sanitize-crypto or overwrite."),
  result: Type.optional(Type.word("How it ended.", ["Wiped", "Skipped", "Failed"])),
  startTime: Type.optional(Type.time("When it began.")),
  completionTime: Type.optional(Type.time("When it ended.")),
  verified: Type.optional(Type.boolean("Whether the disk was read back and found empty.")),
  message: text("What the machine said about it."),
});

const cleanup = Type.object("Evidence of the last time the disks were emptied.", {
  state: Type.optional(Type.word("Where it stands.", ["Pending", "InProgress", "Complete", "Failed"])),
  claimUID: text("UID of the ServerClaim whose data was removed."),
  startTime: Type.optional(Type.time("When it began.")),
  completionTime: Type.optional(Type.time("When it ended.")),
  disks: Type.optional(Type.listMap("One entry per disk.", wipedDisk, ["name"])),
  message: text("A sentence about the whole."),
});

export const serverStatus = Type.object("What is known about the machine.", {
  manufacturer: text("Manufacturer of the machine."),
  model: text("Model of the machine."),
  sku: text("Stock-keeping unit or service tag."),
  serialNumber: text("Serial number of the machine."),
  biosVersion: text("BIOS the machine runs."),
  powerState: Type.optional(Type.word("Power as the BMC last reported it.", Object.values(PowerState))),
  indicatorLED: Type.optional(Type.word("Locator light as the BMC last reported it.", Object.values(IndicatorLED))),
  state: Type.optional(
    Type.word("Where the server is in its life.", Object.values(ServerState), { added: ["Cleanup", "Decommissioned"] }),
  ),
  networkInterfaces: Type.optional(Type.list("Network interfaces the machine reported.", networkInterface)),
  totalSystemMemory: Type.optional(Type.quantity("Memory of the machine.")),
  processors: Type.optional(Type.list("Processors and accelerators.", processor)),
  storages: Type.optional(Type.list("Storage controllers with their volumes and drives.", storage)),
  conditions: Type.optional(
    Type.conditions("Observations about the server, ours and those of others that readiness rules read."),
  ),
  waitingFor: Type.added(waitingFor),
  health: Type.added(health),
  inventory: Type.added(inventory),
  cleanup: Type.added(cleanup),
  intent: Type.added(intent),
});
