/** Processors, memory and network interfaces of a system. */

import { memoryOf, nicsOf, processorsOf } from "../host/parts.ts";
import { collection, healthy, hostAt, type Place, type Resource, self, typed } from "../http/place.ts";
import type { JsonObject } from "../json.ts";

export const componentResources: readonly Resource[] = [
  collection("/Systems/{system}/Processors", { type: "ProcessorCollection", name: "Processors" }, (at) => {
    const host = hostAt(at);
    return host && processorsOf(at.bmc).map(({ id }) => id);
  }),
  { path: "/Systems/{system}/Processors/{part}", read: processorBody },
  collection("/Systems/{system}/Memory", { type: "MemoryCollection", name: "Memory Modules" }, (at) => {
    const host = hostAt(at);
    return host && memoryOf(at.bmc, host.n).map(({ id }) => id);
  }),
  { path: "/Systems/{system}/Memory/{part}", read: memoryBody },
  collection(
    "/Systems/{system}/EthernetInterfaces",
    { type: "EthernetInterfaceCollection", name: "Network Interfaces" },
    (at) => {
      const host = hostAt(at);
      return host && nicsOf(at.bmc, host.n).map(({ id }) => id);
    },
  ),
  { path: "/Systems/{system}/EthernetInterfaces/{part}", read: ethernetBody },
];

function processorBody(at: Place): JsonObject | undefined {
  const host = hostAt(at);
  const part = host && processorsOf(at.bmc).find(({ id }) => id === at.params.part);
  if (!part) return undefined;
  return {
    "@odata.id": self(at),
    "@odata.type": typed(at, "Processor"),
    Id: part.id,
    Name: part.socket,
    ProcessorType: part.type,
    ProcessorArchitecture: part.type === "CPU" ? "x86" : "OEM",
    InstructionSet: part.type === "CPU" ? "x86-64" : undefined,
    Socket: part.socket,
    Manufacturer: part.manufacturer,
    Model: part.model,
    MaxSpeedMHz: part.maxMhz,
    TotalCores: part.cores,
    TotalThreads: part.threads,
    Status: healthy,
  };
}

function memoryBody(at: Place): JsonObject | undefined {
  const host = hostAt(at);
  const part = host && memoryOf(at.bmc, host.n).find(({ id }) => id === at.params.part);
  if (!part) return undefined;
  return {
    "@odata.id": self(at),
    "@odata.type": typed(at, "Memory"),
    Id: part.id,
    Name: part.id,
    MemoryType: "DRAM",
    MemoryDeviceType: "DDR4",
    BaseModuleType: "RDIMM",
    CapacityMiB: part.mib,
    OperatingSpeedMhz: part.speedMhz,
    Manufacturer: part.manufacturer,
    SerialNumber: part.serial,
    PartNumber: part.partNumber,
    RankCount: 2,
    ErrorCorrection: "MultiBitECC",
    MemoryLocation: { Socket: part.socket, MemoryController: 1, Channel: 1 + (part.slot % 8), Slot: part.slot },
    Status: healthy,
  };
}

function ethernetBody(at: Place): JsonObject | undefined {
  const host = hostAt(at);
  const part = host && nicsOf(at.bmc, host.n).find(({ id }) => id === at.params.part);
  if (!part) return undefined;
  return {
    "@odata.id": self(at),
    "@odata.type": typed(at, "EthernetInterface"),
    Id: part.id,
    Name: `Network interface ${part.n}`,
    MACAddress: part.mac,
    PermanentMACAddress: part.mac,
    SpeedMbps: part.linkUp ? part.speedMbps : 0,
    FullDuplex: true,
    LinkStatus: part.linkUp ? "LinkUp" : "LinkDown",
    InterfaceEnabled: true,
    IPv4Addresses: [],
    IPv6Addresses: [],
    Status: healthy,
  };
}
