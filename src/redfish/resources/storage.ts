/**
 * Storage of a system: controllers, drives and volumes; SimpleStorage where there is nothing better.
 * Costs one request in all where the BMC expands deep enough, three for one controller where it expands one level.
 */
import {
  type Json,
  readBoolean,
  readLink,
  readLinks,
  readNumber,
  readRecord,
  readRecords,
  readString,
  reported,
} from "../protocol/read.ts";
import type { Resource } from "../protocol/service.ts";
import type { Survey } from "../protocol/survey.ts";
import { locationOf } from "./chassis.ts";
import { type Status, statusOf } from "./status.ts";
import type { System } from "./system.ts";

export interface Drive {
  readonly path: string;
  readonly id?: string;
  readonly name?: string;
  readonly capacityBytes?: number;
  readonly mediaType?: string;
  readonly protocol?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly firmwareVersion?: string;
  readonly failurePredicted?: boolean;
  readonly lifeLeftPercent?: number;
  readonly encryption?: string;
  readonly location?: string;
  /** Where to ask for a secure erase; undefined when the drive offers none. */
  readonly secureErase?: string;
  readonly status: Status;
}

export interface Volume {
  readonly path: string;
  readonly id?: string;
  readonly name?: string;
  readonly capacityBytes?: number;
  readonly raidType?: string;
  readonly drives: readonly string[];
  readonly status: Status;
}

export interface StorageController {
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly firmwareVersion?: string;
  readonly status: Status;
}

export interface Storage {
  readonly path: string;
  readonly id?: string;
  readonly name?: string;
  readonly controllers: readonly StorageController[];
  readonly drives: readonly Drive[];
  readonly volumes: readonly Volume[];
  readonly status: Status;
}

/** Storage, its drives and its volumes are three levels. */
const LEVELS = 3;

export async function readStorage(survey: Survey, { links }: Pick<System, "links">): Promise<readonly Storage[]> {
  const storages: Storage[] = [];
  for (const resource of await survey.members(links.storage, LEVELS)) storages.push(await completed(survey, resource));
  if (storages.some(({ drives }) => drives.length > 0) || links.simpleStorage === undefined) return storages;
  const simple = (await survey.members(links.simpleStorage)).map(simpleStorageOf);
  return simple.some(({ drives }) => drives.length > 0) ? simple : storages;
}

async function completed(survey: Survey, { path, body }: Resource): Promise<Storage> {
  return {
    path,
    ...reported({ id: readString(body, "Id"), name: readString(body, "Name") }),
    controllers: (await controllersOf(survey, body)).map(controllerOf),
    drives: (await wholeOnes(survey, readRecords(body, "Drives"))).map(driveOf),
    volumes: (await below(survey, body, "Volumes")).map(volumeOf),
    status: statusOf(body),
  };
}

/** The members of a collection below a resource: those that came expanded with it, else read. */
async function below(survey: Survey, storage: Json, name: "Volumes" | "Controllers"): Promise<readonly Resource[]> {
  const collection = readRecord(storage, name);
  if (Array.isArray(collection?.Members)) {
    const entries = readRecords(collection, "Members");
    if (entries.length < 2 || entries.every(isWhole)) return wholeOnes(survey, entries);
  }
  return survey.members(readLink(storage, name));
}

/** In the resource itself by the older schemas, in a collection of their own by the newer ones. */
async function controllersOf(survey: Survey, storage: Json): Promise<readonly Json[]> {
  const listed = readRecords(storage, "StorageControllers").filter(isWhole);
  return listed.length > 0 ? listed : (await below(survey, storage, "Controllers")).map(({ body }) => body);
}

function isWhole(entry: Json): boolean {
  return Object.keys(entry).length > 1;
}

async function wholeOnes(survey: Survey, entries: readonly Json[]): Promise<readonly Resource[]> {
  const resources: Resource[] = [];
  for (const body of entries) {
    const path = readString(body, "@odata.id");
    if (path === undefined) continue;
    const resource = isWhole(body) ? { path, body, etag: undefined } : await survey.read(path);
    if (resource) resources.push(resource);
  }
  return resources;
}

function controllerOf(entry: Json): StorageController {
  return {
    ...reported({
      manufacturer: readString(entry, "Manufacturer"),
      model: readString(entry, "Model"),
      serialNumber: readString(entry, "SerialNumber"),
      firmwareVersion: readString(entry, "FirmwareVersion"),
    }),
    status: statusOf(entry),
  };
}

export function driveOf({ path, body }: Resource): Drive {
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      name: readString(body, "Name"),
      capacityBytes: readNumber(body, "CapacityBytes"),
      mediaType: readString(body, "MediaType"),
      protocol: readString(body, "Protocol"),
      manufacturer: readString(body, "Manufacturer"),
      model: readString(body, "Model"),
      serialNumber: readString(body, "SerialNumber"),
      firmwareVersion: readString(body, "Revision") ?? readString(body, "FirmwareVersion"),
      failurePredicted: readBoolean(body, "FailurePredicted"),
      lifeLeftPercent: readNumber(body, "PredictedMediaLifeLeftPercent"),
      encryption: readString(body, "EncryptionAbility"),
      location: locationOf(readRecord(body, "PhysicalLocation")).serviceLabel,
      secureErase: readString(readRecord(readRecord(body, "Actions"), "#Drive.SecureErase"), "target"),
    }),
    status: statusOf(body),
  };
}

export function volumeOf({ path, body }: Resource): Volume {
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      name: readString(body, "Name"),
      capacityBytes: readNumber(body, "CapacityBytes"),
      raidType: readString(body, "RAIDType") ?? readString(body, "VolumeType"),
    }),
    drives: readLinks(readRecord(body, "Links"), "Drives"),
    status: statusOf(body),
  };
}

/** SimpleStorage lists its devices in itself, without addresses of their own. */
export function simpleStorageOf({ path, body }: Resource): Storage {
  return {
    path,
    ...reported({ id: readString(body, "Id"), name: readString(body, "Name") }),
    controllers: [],
    drives: readRecords(body, "Devices").map((device, at) => ({
      path: `${path}#/Devices/${at}`,
      ...reported({
        name: readString(device, "Name"),
        capacityBytes: readNumber(device, "CapacityBytes"),
        manufacturer: readString(device, "Manufacturer"),
        model: readString(device, "Model"),
      }),
      status: statusOf(device),
    })),
    volumes: [],
    status: statusOf(body),
  };
}
