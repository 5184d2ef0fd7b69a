/** Storage of a system: the controller, its drives and volumes, SimpleStorage, and secure erase. */

import type { Host } from "../host/host.ts";
import { type DrivePart, drivesOf } from "../host/parts.ts";
import {
  below,
  collection,
  head,
  healthy,
  hostAt,
  type Place,
  type Resource,
  ref,
  self,
  typed,
} from "../http/place.ts";
import { type Reply, refuse } from "../http/reply.ts";
import type { JsonObject } from "../json.ts";
import { since } from "../profiles/profile.ts";
import { driveHealth } from "./health.ts";
import { taskReply } from "./tasks.ts";

export const storageResources: readonly Resource[] = [
  collection(
    "/Systems/{system}/Storage",
    { type: "StorageCollection", name: "Storage Collection" },
    (at) => hostAt(at) && [at.profile.names.storage],
  ),
  { path: "/Systems/{system}/Storage/{storage}", read: storageBody },
  collection(
    "/Systems/{system}/Storage/{storage}/Volumes",
    { type: "VolumeCollection", name: "Volumes" },
    (at) => storageAt(at) && ["1"],
  ),
  { path: "/Systems/{system}/Storage/{storage}/Volumes/{volume}", read: volumeBody },
  { path: "/Systems/{system}/Storage/{storage}/Drives/{drive}", read: driveBody },
  { path: "/Systems/{system}/Storage/{storage}/Drives/{drive}/Actions/Drive.SecureErase", post: secureErase },
  collection(
    "/Systems/{system}/SimpleStorage",
    { type: "SimpleStorageCollection", name: "Simple Storage" },
    (at) => hostAt(at) && ["1"],
  ),
  { path: "/Systems/{system}/SimpleStorage/{storage}", read: simpleStorageBody },
];

function storageAt(at: Place): Host | undefined {
  return at.params.storage === at.profile.names.storage ? hostAt(at) : undefined;
}

function driveAt(at: Place): { readonly host: Host; readonly drive: DrivePart } | undefined {
  const host = storageAt(at);
  const drive = host && drivesOf(at.bmc, host.n).find(({ id }) => id === at.params.drive);
  return host && drive && { host, drive };
}

function storageBody(at: Place): JsonObject | undefined {
  const host = storageAt(at);
  if (!host) return undefined;
  const drives = drivesOf(at.bmc, host.n);
  return {
    ...head(at, "Storage", at.profile.names.storage, "Storage Controller"),
    StorageControllers: [
      {
        "@odata.id": `${below(at)["@odata.id"]}#/StorageControllers/0`,
        MemberId: "0",
        Name: "Controller",
        Manufacturer: "Broadcom",
        Model: "SAS3908",
        SerialNumber: `C${host.serial}`,
        FirmwareVersion: "52.16.1-4405",
        SpeedGbps: 12,
        SupportedControllerProtocols: ["PCIe"],
        SupportedDeviceProtocols: ["SAS", "SATA", "NVMe"],
        Status: healthy,
      },
    ],
    Drives: drives.map(({ id }) => below(at, "Drives", id)),
    "Drives@odata.count": drives.length,
    Volumes: below(at, "Volumes"),
    Status: { ...driveHealth(at.bmc, at.bmc.fault("disk-failing")?.drive ?? 1), State: "Enabled" },
  };
}

function volumeBody(at: Place): JsonObject | undefined {
  const host = storageAt(at);
  if (!host || at.params.volume !== "1") return undefined;
  const [first, second] = drivesOf(at.bmc, host.n);
  if (!first || !second) return undefined;
  const storage = ["Systems", host.id, "Storage", at.profile.names.storage, "Drives"];
  return {
    ...head(at, "Volume", "1", "Boot pair"),
    CapacityBytes: first.bytes,
    BlockSizeBytes: 512,
    RAIDType: "RAID1",
    Links: { Drives: [first, second].map(({ id }) => ref(at, ...storage, id)) },
    Status: healthy,
  };
}

function driveBody(at: Place): JsonObject | undefined {
  const found = driveAt(at);
  if (!found) return undefined;
  const { drive } = found;
  const health = driveHealth(at.bmc, drive.n);
  const target = `${at.path}/Actions/Drive.SecureErase${at.profile.trailingSlash ? "/" : ""}`;
  return {
    "@odata.id": self(at),
    "@odata.type": typed(at, "Drive"),
    Id: drive.id,
    Name: `Drive ${drive.n}`,
    CapacityBytes: drive.bytes,
    BlockSizeBytes: 512,
    MediaType: drive.media,
    Protocol: drive.protocol,
    Manufacturer: drive.manufacturer,
    Model: drive.model,
    SerialNumber: drive.serial,
    Revision: "1.0.4",
    FailurePredicted: health.Health !== "OK",
    PredictedMediaLifeLeftPercent: health.Health === "OK" ? 100 - (at.bmc.draw("wear", drive.n) % 20) : 2,
    RotationSpeedRPM: drive.media === "HDD" ? 7200 : 0,
    EncryptionAbility: "SelfEncryptingDrive",
    PhysicalLocation: since(at.profile, "Drive", 4)
      ? { PartLocation: { LocationType: "Bay", LocationOrdinalValue: drive.n, ServiceLabel: `Bay ${drive.n}` } }
      : undefined,
    Status: health,
    Actions: at.profile.secureErase ? { "#Drive.SecureErase": { target } } : undefined,
  };
}

function secureErase(at: Place): Reply {
  const found = driveAt(at);
  if (!found || !at.profile.secureErase) return refuse(404, "ResourceMissingAtURI", at.path);
  const { bmc } = at;
  const { host, drive } = found;
  const failing = bmc.fault("wipe-fails");
  const fails = failing !== undefined && (failing.drive ?? 1) === drive.n;
  const task = bmc.tasks.start({
    name: `Secure erase of ${drive.id}`,
    stepMs: bmc.world.timing.wipeMs / 6,
    fate: () => (fails ? "fail-at-99" : "go"),
    done: () => host.disks.wipe(drive.n),
  });
  return taskReply(at, task);
}

function simpleStorageBody(at: Place): JsonObject | undefined {
  const host = hostAt(at);
  if (!host || at.params.storage !== "1") return undefined;
  return {
    ...head(at, "SimpleStorage", "1", "Simple Storage Controller"),
    Devices: drivesOf(at.bmc, host.n).map((drive) => ({
      Name: drive.id,
      Manufacturer: drive.manufacturer,
      Model: drive.model,
      CapacityBytes: drive.bytes,
      Status: driveHealth(at.bmc, drive.n),
    })),
    Status: healthy,
  };
}
