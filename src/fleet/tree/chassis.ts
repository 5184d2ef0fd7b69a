/** Chassis: the box, its sensors in the old and the new shape. */

import type { Bmc } from "../bmc/bmc.ts";
import { fanCount, fanSpeed, sensorsOf, temperature, temperatures, watts } from "../bmc/sensors.ts";
import type { Host } from "../host/host.ts";
import { below, collection, head, healthy, type Place, type Resource, ref, self, typed } from "../http/place.ts";
import type { JsonObject } from "../json.ts";
import { since } from "../profiles/profile.ts";
import { rackPlace } from "../rack.ts";
import { fanHealth, systemHealth } from "./health.ts";
import { rememberWrites } from "./writable.ts";

const supplies = 2;

export const chassisResources: readonly Resource[] = [
  collection("/Chassis", { type: "ChassisCollection", name: "Chassis Collection" }, ({ bmc, profile }) =>
    bmc.hosts.map(({ n }) => profile.names.chassis(n, bmc.hosts.length)),
  ),
  {
    path: "/Chassis/{chassis}",
    read: chassisBody,
    patch: rememberWrites(
      { AssetTag: true, LocationIndicatorActive: true, IndicatorLED: ["Lit", "Blinking", "Off"] },
      chassisBody,
    ),
  },
  { path: "/Chassis/{chassis}/Thermal", read: thermalBody },
  { path: "/Chassis/{chassis}/Power", read: powerBody },
  collection("/Chassis/{chassis}/Sensors", { type: "SensorCollection", name: "Sensors" }, (at) =>
    hostOf(at) && at.profile.sensors.modern ? sensorsOf(at.bmc).map(({ id }) => id) : undefined,
  ),
  { path: "/Chassis/{chassis}/Sensors/{sensor}", read: sensorBody },
];

function hostOf(at: Place): Host | undefined {
  const { bmc, profile } = at;
  return bmc.hosts.find(({ n }) => profile.names.chassis(n, bmc.hosts.length) === at.params.chassis);
}

function chassisBody(at: Place): JsonObject | undefined {
  const host = hostOf(at);
  if (!host) return undefined;
  const { bmc, profile } = at;
  const hasLocation = since(profile, "Chassis", 14);
  return {
    "@odata.id": self(at),
    "@odata.type": typed(at, "Chassis"),
    Id: at.params.chassis ?? "",
    Name: "Chassis",
    ChassisType: bmc.hosts.length > 1 ? "Sled" : "RackMount",
    Manufacturer: profile.manufacturer,
    Model: host.model,
    SerialNumber: host.serial,
    PartNumber: `C${bmc.draw("chassis-part") % 100_000}`,
    AssetTag: "",
    PowerState: host.reportedPower === "On" ? "On" : "Off",
    IndicatorLED: profile.indicator === "location" ? undefined : "Off",
    LocationIndicatorActive: profile.indicator !== "led" && hasLocation ? false : undefined,
    Location: since(profile, "Chassis", 2) ? location(bmc) : undefined,
    Status: systemHealth(bmc, "Enabled"),
    Thermal: profile.sensors.legacy ? below(at, "Thermal") : undefined,
    Power: profile.sensors.legacy ? below(at, "Power") : undefined,
    Sensors: profile.sensors.modern && since(profile, "Chassis", 9) ? below(at, "Sensors") : undefined,
    Links: { ComputerSystems: [ref(at, "Systems", host.id)], ManagedBy: [ref(at, "Managers", profile.names.manager)] },
  };
}

/** Ten BMCs to a rack, from the bottom. */
function location({ index }: Bmc): JsonObject {
  return {
    Placement: {
      Row: `Row ${1 + Math.floor(index / 100)}`,
      Rack: rackPlace(index).name,
      RackOffset: rackPlace(index).unit,
      RackOffsetUnits: "EIA_310",
    },
  };
}

function sensorBody(at: Place): JsonObject | undefined {
  if (!hostOf(at) || !at.profile.sensors.modern) return undefined;
  const sensor = sensorsOf(at.bmc).find(({ id }) => id === at.params.sensor);
  if (!sensor) return undefined;
  return {
    ...head(at, "Sensor", sensor.id, sensor.name),
    ReadingType: sensor.type,
    Reading: sensor.reading,
    ReadingUnits: sensor.units,
    Status: sensor.type === "Rotational" ? fanHealth(at.bmc, Number(sensor.id.replace("Fan", ""))) : healthy,
  };
}

function thermalBody(at: Place): JsonObject | undefined {
  if (!hostOf(at) || !at.profile.sensors.legacy) return undefined;
  const { bmc } = at;
  const self = below(at)["@odata.id"];
  return {
    ...head(at, "Thermal", "Thermal", "Thermal"),
    Temperatures: temperatures.map((name, n) => ({
      "@odata.id": `${self}#/Temperatures/${n}`,
      MemberId: String(n),
      Name: name,
      ReadingCelsius: temperature(bmc, name),
      UpperThresholdCritical: 90,
      UpperThresholdNonCritical: 80,
      PhysicalContext: name.startsWith("CPU") ? "CPU" : "Intake",
      Status: healthy,
    })),
    Fans: Array.from({ length: fanCount }, (_, n) => ({
      "@odata.id": `${self}#/Fans/${n}`,
      MemberId: String(n),
      Name: `Fan ${n + 1}`,
      Reading: fanSpeed(bmc, n + 1),
      ReadingUnits: "RPM",
      LowerThresholdCritical: 600,
      Status: fanHealth(bmc, n + 1),
    })),
  };
}

function powerBody(at: Place): JsonObject | undefined {
  if (!hostOf(at) || !at.profile.sensors.legacy) return undefined;
  const self = below(at)["@odata.id"];
  return {
    ...head(at, "Power", "Power", "Power"),
    PowerControl: [
      {
        "@odata.id": `${self}#/PowerControl/0`,
        MemberId: "0",
        Name: "System Power Control",
        PowerConsumedWatts: watts(at.bmc),
        PowerCapacityWatts: 1600,
      },
    ],
    PowerSupplies: Array.from({ length: supplies }, (_, n) => ({
      "@odata.id": `${self}#/PowerSupplies/${n}`,
      MemberId: String(n),
      Name: `PSU ${n + 1}`,
      PowerCapacityWatts: 800,
      Model: "PWR SPLY,800W,RDNT",
      SerialNumber: `PS${at.bmc.draw("psu", n) % 1_000_000}`,
      Status: healthy,
    })),
  };
}
