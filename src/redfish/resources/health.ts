/** How a machine is: every component that is not well, and the worst of all. Pure: looks at what was read. */
import type { Inventory, SystemInventory } from "./inventory.ts";
import type { Readings } from "./sensors.ts";
import { type Severity, type Status, worst } from "./status.ts";

export interface ComponentHealth {
  /** Processor, Memory, Drive, Fan, PowerSupply, … */
  readonly component: string;
  readonly name: string;
  readonly health: Severity;
  /** The part reports it itself, or it predicts its failure. */
  readonly reason: "reported" | "failurePredicted";
}

export interface Health {
  /** Undefined when nothing reports any health. */
  readonly overall?: Severity;
  /** Only what is not OK. */
  readonly unwell: readonly ComponentHealth[];
}

interface Part {
  readonly component: string;
  readonly name: string;
  readonly status: Status;
  readonly failurePredicted?: boolean | undefined;
}

/** The health of one system with its chassis and, if they were read, its sensors. */
export function healthOf(inventory: SystemInventory, readings?: Readings): Health {
  const parts = [...partsOf(inventory), ...sensorParts(readings)];
  const unwell = parts.flatMap(unwellPart);
  const { health, rollup } = inventory.system.status;
  const overall = worst([
    health,
    rollup,
    ...parts.map(({ status }) => status.health),
    ...unwell.map((one) => one.health),
  ]);
  return { unwell, ...(overall === undefined ? {} : { overall }) };
}

/** The health of the BMC itself. */
export function managerHealth({ managers }: Pick<Inventory, "managers">): Severity | undefined {
  return worst(managers.flatMap(({ status }) => [status.health, status.rollup]));
}

function unwellPart({ component, name, status, failurePredicted }: Part): ComponentHealth[] {
  if (status.health !== undefined && status.health !== "OK")
    return [{ component, name, health: status.health, reason: "reported" }];
  return failurePredicted ? [{ component, name, health: "Warning", reason: "failurePredicted" }] : [];
}

type Named = { readonly path: string; readonly id?: string; readonly name?: string; readonly status: Status };

function partsOf({ processors, gpus, memory, storage, networkInterfaces, chassis, system }: SystemInventory): Part[] {
  const as = (component: string, items: readonly Named[]): Part[] =>
    items.map(({ id, name, path, status }) => ({ component, name: id ?? name ?? path, status }));
  return [
    ...as("Processor", processors),
    ...as("GPU", gpus),
    ...as("Memory", memory),
    ...as("NetworkInterface", networkInterfaces),
    ...as("Chassis", chassis),
    ...as("Storage", storage),
    ...storage.flatMap(({ volumes }) => as("Volume", volumes)),
    ...storage.flatMap(({ drives }) =>
      drives.map(({ id, name, path, status, failurePredicted }) => ({
        component: "Drive",
        name: id ?? name ?? path,
        status,
        failurePredicted,
      })),
    ),
    ...system.trustedModules.map(({ status }, at) => ({ component: "TrustedModule", name: String(at), status })),
  ];
}

function sensorParts(readings: Readings | undefined): Part[] {
  if (!readings) return [];
  return [
    ...readings.sensors.map(({ kind, name, status }) => ({ component: kind, name, status })),
    ...readings.powerSupplies.map(({ name, status }) => ({ component: "PowerSupply", name, status })),
  ];
}
