/** The chassis: the sheet metal around a system, where it stands and where its sensors are. */
import { readLink, readLinks, readNumber, readRecord, readString, reported } from "../protocol/read.ts";
import type { Resource } from "../protocol/service.ts";
import { type Status, statusOf } from "./status.ts";

export interface Location {
  readonly row?: string;
  readonly rack?: string;
  readonly rackOffset?: number;
  readonly rackOffsetUnits?: string;
  /** What is printed beside the part, where the BMC knows it. */
  readonly serviceLabel?: string;
}

export interface Chassis {
  readonly path: string;
  readonly id?: string;
  readonly chassisType?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly partNumber?: string;
  readonly assetTag?: string;
  readonly location: Location;
  readonly status: Status;
  readonly links: {
    readonly thermal?: string;
    readonly power?: string;
    readonly thermalSubsystem?: string;
    readonly powerSubsystem?: string;
    readonly sensors?: string;
    readonly systems: readonly string[];
  };
}

export function chassisOf({ path, body }: Resource): Chassis {
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      chassisType: readString(body, "ChassisType"),
      manufacturer: readString(body, "Manufacturer"),
      model: readString(body, "Model"),
      serialNumber: readString(body, "SerialNumber"),
      partNumber: readString(body, "PartNumber"),
      assetTag: readString(body, "AssetTag"),
    }),
    location: locationOf(readRecord(body, "Location")),
    status: statusOf(body),
    links: {
      ...reported({
        thermal: readLink(body, "Thermal"),
        power: readLink(body, "Power"),
        thermalSubsystem: readLink(body, "ThermalSubsystem"),
        powerSubsystem: readLink(body, "PowerSubsystem"),
        sensors: readLink(body, "Sensors"),
      }),
      systems: readLinks(readRecord(body, "Links"), "ComputerSystems"),
    },
  };
}

/** A `Location` or `PhysicalLocation` object. */
export function locationOf(location: unknown): Location {
  const placement = readRecord(location, "Placement");
  return reported({
    row: readString(placement, "Row"),
    rack: readString(placement, "Rack"),
    rackOffset: readNumber(placement, "RackOffset"),
    rackOffsetUnits: readString(placement, "RackOffsetUnits"),
    serviceLabel: readString(readRecord(location, "PartLocation"), "ServiceLabel"),
  });
}
