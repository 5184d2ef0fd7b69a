/** The parts inside a machine, drawn from the seed each time they are asked for. Holds no state. */
import type { Bmc } from "../bmc/bmc.ts";
import { draw, drawSerial, macOf, pick } from "../seed.ts";

export interface ProcessorPart {
  readonly id: string;
  readonly socket: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly cores: number;
  readonly threads: number;
  readonly maxMhz: number;
  readonly type: "CPU" | "GPU";
}

export interface MemoryPart {
  readonly id: string;
  readonly mib: number;
  readonly speedMhz: number;
  readonly manufacturer: string;
  readonly serial: string;
  readonly partNumber: string;
  readonly socket: number;
  readonly slot: number;
}

export interface DrivePart {
  readonly id: string;
  readonly n: number;
  readonly model: string;
  readonly manufacturer: string;
  readonly serial: string;
  readonly bytes: number;
  readonly protocol: "NVMe" | "SATA" | "SAS";
  readonly media: "SSD" | "HDD";
}

export interface NicPart {
  readonly id: string;
  readonly n: number;
  readonly mac: string;
  readonly speedMbps: number;
  readonly linkUp: boolean;
}

const processors = [
  { manufacturer: "Intel", model: "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", cores: 32, maxMhz: 3200 },
  { manufacturer: "Intel", model: "Intel(R) Xeon(R) Silver 4410Y", cores: 12, maxMhz: 3900 },
  { manufacturer: "AMD", model: "AMD EPYC 7543 32-Core Processor", cores: 32, maxMhz: 3700 },
  { manufacturer: "AMD", model: "AMD EPYC 9354 32-Core Processor", cores: 32, maxMhz: 3800 },
] as const;
const drives = [
  { manufacturer: "Samsung", model: "MZQL21T9HCJR-00A07", bytes: 1_920_383_410_176, protocol: "NVMe", media: "SSD" },
  { manufacturer: "Micron", model: "MTFDKCC3T8TDZ", bytes: 3_840_755_982_336, protocol: "NVMe", media: "SSD" },
  { manufacturer: "Seagate", model: "ST8000NM001A", bytes: 8_001_563_222_016, protocol: "SAS", media: "HDD" },
] as const;
const memories = [
  { manufacturer: "Hynix Semiconductor", partNumber: "HMA84GR7DJR4N-XN", mib: 32_768, speedMhz: 3200 },
  { manufacturer: "Samsung", partNumber: "M393A8G40BB4-CWE", mib: 65_536, speedMhz: 3200 },
] as const;

export const processorCount = 2;
export const memoryCount = 16;
export const driveCount = 8;
export const nicCount = 4;

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** The processors proper. */
export function cpusOf(bmc: Bmc): readonly ProcessorPart[] {
  const kind = pick(processors, bmc.world.seed, bmc.index, "cpu");
  return upTo(processorCount).map((n) => ({
    id: bmc.profile.names.processor(n),
    socket: `CPU ${n}`,
    threads: kind.cores * 2,
    type: "CPU",
    ...kind,
  }));
}

/** One BMC in eight has four accelerators beside them. */
export function processorsOf(bmc: Bmc): readonly ProcessorPart[] {
  const hasGpus = bmc.draw("gpu") % 8 === 0;
  return hasGpus ? [...cpusOf(bmc), ...upTo(4).map(gpu)] : cpusOf(bmc);
}

function gpu(n: number): ProcessorPart {
  return {
    id: `GPU${n}`,
    socket: `PCIe slot ${n}`,
    manufacturer: "NVIDIA",
    model: "NVIDIA L40S",
    cores: 18_176,
    threads: 18_176,
    maxMhz: 2520,
    type: "GPU",
  };
}

export function memoryOf(bmc: Bmc, system: number): readonly MemoryPart[] {
  const kind = pick(memories, bmc.world.seed, bmc.index, "dimm");
  return upTo(memoryCount).map((n) => ({
    id: bmc.profile.names.memory(n),
    serial: drawSerial(8, bmc.world.seed, bmc.index, system, "dimm", n),
    socket: n <= memoryCount / 2 ? 1 : 2,
    slot: n,
    ...kind,
  }));
}

/** What all modules together hold; cheaper than drawing each of them. */
export function memoryGibOf(bmc: Bmc): number {
  return (memoryCount * pick(memories, bmc.world.seed, bmc.index, "dimm").mib) / 1024;
}

/** The first two are the boot pair, the rest data. */
export function drivesOf(bmc: Bmc, system: number): readonly DrivePart[] {
  const data = pick(drives, bmc.world.seed, bmc.index, "drive");
  return upTo(driveCount).map((n) => ({
    id: bmc.profile.names.drive(n),
    n,
    serial: drawSerial(14, bmc.world.seed, bmc.index, system, "drive", n),
    ...(n <= 2 ? drives[0] : data),
  }));
}

/** A swapped board brings other addresses. */
export function nicsOf(bmc: Bmc, system: number): readonly NicPart[] {
  const swapped = bmc.fault("board-swap") ? 0x800000 : 0;
  const first = (bmc.index * 4 + (system - 1)) * nicCount;
  return upTo(nicCount).map((n) => ({
    id: bmc.profile.names.ethernet(n),
    n,
    mac: macOf("02:6d:77", swapped + first + n),
    speedMbps: n <= 2 ? 25_000 : 1_000,
    linkUp: n <= 2 || draw(bmc.world.seed, bmc.index, system, "link", n) % 2 === 0,
  }));
}
