/** What the probe finds when it looks at a machine from inside. */

import type { LldpFact, MachineFacts, NetworkInterfaceFact, StorageFact } from "#machine";
import { rackPlace } from "../rack.ts";
import type { Host } from "./host.ts";
import { cpusOf, type DrivePart, drivesOf, memoryOf, type NicPart, nicsOf } from "./parts.ts";

export function factsOf(host: Host): MachineFacts {
  const { bmc, n } = host;
  const nics = nicsOf(bmc, n);
  return {
    timestamp: `${bmc.world.clock.now().toISOString().slice(0, 19)}Z`,
    systemInfo: systemInfo(host),
    cpu: cpusOf(bmc).map(({ manufacturer, model, cores, threads }, id) => ({
      id,
      totalCores: cores,
      totalHardwareThreads: threads,
      vendor: manufacturer === "AMD" ? "AuthenticAMD" : "GenuineIntel",
      model,
      capabilities: ["aes", "avx2", "sse4_2"],
    })),
    networkInterfaces: nics.map((nic) => networkInterface(host, nic)),
    lldp: nics.filter(({ linkUp }) => linkUp).map((nic) => neighbour(host, nic)),
    storage: drivesOf(bmc, n).map(disk),
    memory: memoryOf(bmc, n).map((dimm) => ({
      size: dimm.mib * 2 ** 20,
      deviceSet: "None",
      deviceLocator: dimm.id,
      bankLocator: `Bank ${dimm.socket}`,
      memoryType: "DDR4",
      speed: `${dimm.speedMhz} MT/s`,
      vendor: dimm.manufacturer,
      serialNumber: dimm.serial,
      assetTag: "",
      partNumber: dimm.partNumber,
      configuredMemorySpeed: `${dimm.speedMhz} MT/s`,
      minimumVoltage: "1.2 V",
      maximumVoltage: "1.2 V",
      configuredVoltage: "1.2 V",
    })),
    nics: nics.map((nic) => ({
      name: interfaceName(nic),
      mac: nic.mac,
      pciAddress: `0000:3b:00.${nic.n - 1}`,
      speed: `${nic.speedMbps}Mb/s`,
      linkModes: ["10000baseT/Full", "25000baseCR/Full"],
      supportedPorts: ["FIBRE"],
      firmwareVersion: "22.36.10.10",
    })),
  };
}

function systemInfo(host: Host): MachineFacts["systemInfo"] {
  const { manufacturer } = host.bmc.profile;
  return {
    biosInformation: { vendor: manufacturer, version: host.biosVersion, date: "03/14/2026" },
    systemInformation: {
      manufacturer,
      productName: host.model,
      version: "1.0",
      serialNumber: host.serial,
      uuid: host.uuid,
      skuNumber: "SKU-0",
      family: "Server",
    },
    boardInformation: {
      manufacturer,
      product: host.model,
      version: "A01",
      serialNumber: `.${host.serial}.`,
      assetTag: "",
    },
  };
}

const interfaceName = (nic: NicPart): string => `ens${nic.n}f0`;

function networkInterface(host: Host, nic: NicPart): NetworkInterfaceFact {
  const address = `10.${(host.bmc.index >> 8) & 255}.${host.bmc.index & 255}.${host.n * 16 + nic.n}`;
  return {
    name: interfaceName(nic),
    ipAddresses: nic.linkUp ? [address] : [],
    macAddress: nic.mac,
    carrierStatus: nic.linkUp ? "up" : "down",
  };
}

/** Ten BMCs share a rack, and a rack its two switches. */
function neighbour(host: Host, nic: NicPart): LldpFact {
  const { rack, slot } = rackPlace(host.bmc.index);
  const leaf = nic.n % 2 === 1 ? "a" : "b";
  return {
    name: interfaceName(nic),
    neighbors: [
      {
        chassisId: `02:00:00:00:${(rack & 255).toString(16).padStart(2, "0")}:0${leaf}`,
        portId: `Ethernet${slot * 4 + nic.n}`,
        portDescription: `to ${host.serial}`,
        systemName: `leaf-${rack}${leaf}`,
        systemDescription: "simulated switch",
        capabilities: ["Bridge", "Router"],
      },
    ],
  };
}

function disk(drive: DrivePart): StorageFact {
  const name = `nvme${drive.n - 1}n1`;
  return {
    path: `/dev/${name}`,
    name,
    rotational: drive.media === "HDD",
    removable: false,
    readOnly: false,
    vendor: drive.manufacturer,
    model: drive.model,
    serial: drive.serial,
    wwid: `eui.${drive.serial.toLowerCase()}`,
    physicalBlockSize: 4096,
    logicalBlockSize: 512,
    hWSectorSize: 512,
    sizeBytes: drive.bytes,
    numaNodeID: 0,
  };
}
