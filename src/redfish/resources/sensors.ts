/** Temperatures, fans and power of a chassis: from the Sensors collection, else from the older Thermal and Power. */
import { type Json, readNumber, readRecord, readRecords, readString, reported } from "../protocol/read.ts";
import type { Resource } from "../protocol/service.ts";
import type { Survey } from "../protocol/survey.ts";
import type { Chassis } from "./chassis.ts";
import { isAbsent, type Status, statusOf } from "./status.ts";

export type SensorKind = "Temperature" | "Fan" | "Power" | "Voltage" | "Current" | "Humidity" | "Other";

export interface Sensor {
  readonly name: string;
  readonly kind: SensorKind;
  readonly reading?: number;
  readonly units?: string;
  readonly upperCritical?: number;
  readonly status: Status;
}

export interface PowerSupply {
  readonly name: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly capacityWatts?: number;
  readonly status: Status;
}

export interface Readings {
  readonly sensors: readonly Sensor[];
  readonly powerSupplies: readonly PowerSupply[];
  readonly consumedWatts?: number;
}

/** Reads what there is in the fewest requests: the two older resources have everything, so they are preferred. */
export async function readSensors(survey: Survey, { links }: Chassis): Promise<Readings> {
  if (links.thermal !== undefined || links.power !== undefined) {
    const thermal = await survey.read(links.thermal);
    const power = await survey.read(links.power);
    return legacyReadings(thermal?.body ?? {}, power?.body ?? {});
  }
  const sensors = (await survey.members(links.sensors)).map(sensorOf);
  const supplies = await modernSupplies(survey, links.powerSubsystem);
  const total = sensors.find(({ kind, units }) => kind === "Power" && units === "W");
  return { sensors, powerSupplies: supplies, ...reported({ consumedWatts: total?.reading }) };
}

async function modernSupplies(survey: Survey, powerSubsystem: string | undefined): Promise<readonly PowerSupply[]> {
  const subsystem = await survey.read(powerSubsystem);
  const path = readString(readRecord(subsystem?.body, "PowerSupplies"), "@odata.id");
  return (await survey.members(path)).filter(({ body }) => !isAbsent(body)).map(({ body }) => supplyOf(body));
}

const kinds: Readonly<Record<string, SensorKind>> = {
  Temperature: "Temperature",
  Rotational: "Fan",
  Power: "Power",
  Voltage: "Voltage",
  Current: "Current",
  Humidity: "Humidity",
};

export function sensorOf({ body, path }: Pick<Resource, "body" | "path">): Sensor {
  const type = readString(body, "ReadingType") ?? "";
  return {
    name: readString(body, "Name") ?? path,
    kind: kinds[type] ?? "Other",
    ...reported({
      reading: readNumber(body, "Reading"),
      units: readString(body, "ReadingUnits"),
      upperCritical: readNumber(readRecord(readRecord(body, "Thresholds"), "UpperCritical"), "Reading"),
    }),
    status: statusOf(body),
  };
}

/** What Thermal and Power say; slots without a part are left out. */
export function legacyReadings(thermal: Json, power: Json): Readings {
  const present = (body: Json, name: string): readonly Json[] =>
    readRecords(body, name).filter((entry) => !isAbsent(entry));
  const [control] = readRecords(power, "PowerControl");
  return {
    sensors: [
      ...present(thermal, "Temperatures").map((entry) => legacySensor(entry, "Temperature")),
      ...present(thermal, "Fans").map((entry) => legacySensor(entry, "Fan")),
      ...present(power, "Voltages").map((entry) => legacySensor(entry, "Voltage")),
    ],
    powerSupplies: present(power, "PowerSupplies").map(supplyOf),
    ...reported({ consumedWatts: readNumber(control, "PowerConsumedWatts") }),
  };
}

const legacyReading: Partial<Record<SensorKind, readonly [property: string, units: string | undefined]>> = {
  Temperature: ["ReadingCelsius", "Cel"],
  Voltage: ["ReadingVolts", "V"],
};

function legacySensor(entry: Json, kind: SensorKind): Sensor {
  const [property, units] = legacyReading[kind] ?? ["Reading", readString(entry, "ReadingUnits") ?? "RPM"];
  return {
    name: readString(entry, "Name") ?? readString(entry, "FanName") ?? readString(entry, "MemberId") ?? kind,
    kind,
    ...reported({
      reading: readNumber(entry, property),
      units,
      upperCritical: readNumber(entry, "UpperThresholdCritical"),
    }),
    status: statusOf(entry),
  };
}

function supplyOf(entry: Json): PowerSupply {
  return {
    name: readString(entry, "Name") ?? readString(entry, "MemberId") ?? "power supply",
    ...reported({
      model: readString(entry, "Model"),
      serialNumber: readString(entry, "SerialNumber"),
      capacityWatts: readNumber(entry, "PowerCapacityWatts"),
    }),
    status: statusOf(entry),
  };
}
