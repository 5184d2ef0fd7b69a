/** UpdateService: inventory, and updates by address, by push and by multipart form. */

import type { Host } from "../host/host.ts";
import { partsOf } from "../http/body.ts";
import { type Asked, collection, head, healthy, type Place, type Resource, ref, uri } from "../http/place.ts";
import { type Reply, refuse } from "../http/reply.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { FirmwareEntry } from "../profiles/profile.ts";
import { startUpdate } from "./update-job.ts";

export const updateResources: readonly Resource[] = [
  { path: "/UpdateService", read: serviceBody },
  { path: "/UpdateService/Actions/UpdateService.SimpleUpdate", post: simpleUpdate, update: true },
  { path: "/UpdateService/Actions/SimpleUpdate", post: simpleUpdate, update: true },
  { path: "/UpdateService/update", post: pushUpdate, update: true, rawBody: true },
  { path: "/UpdateService/update-multipart", post: multipartUpdate, update: true, rawBody: true },
  collection(
    "/UpdateService/FirmwareInventory",
    { type: "SoftwareInventoryCollection", name: "Firmware Inventory" },
    (at) => inventoryOf(at).map(({ id }) => id),
  ),
  { path: "/UpdateService/FirmwareInventory/{item}", read: itemBody },
];

interface InventoryItem extends FirmwareEntry {
  readonly state: string;
  readonly host: Host | undefined;
}

/** What is installed, and what is staged for the next start. */
export function inventoryOf({ bmc, profile }: Place): readonly InventoryItem[] {
  const [first] = bmc.hosts;
  const entries = profile.update.firmware({ bios: first?.biosVersion ?? "", bmc: bmc.firmwareVersion });
  const installed = entries.map((entry) => ({
    ...entry,
    state: "Enabled",
    host: entry.component === "BIOS" ? first : undefined,
  }));
  const bios = entries.find(({ component }) => component === "BIOS");
  const staged = bmc.hosts.flatMap((host): InventoryItem[] => {
    if (!host.stagedBios || !bios) return [];
    const { id, state } = profile.update.staged(bios);
    return [{ ...bios, id: host.n > 1 ? `${id}-${host.n}` : id, state, version: host.stagedBios.version, host }];
  });
  return [...installed, ...staged];
}

function serviceBody(at: Place): JsonObject {
  const { update } = at.profile;
  const target = uri(at, "UpdateService", "Actions", "UpdateService.SimpleUpdate");
  return {
    ...head(at, "UpdateService", "UpdateService", "Update Service"),
    ServiceEnabled: true,
    HttpPushUri: update.push ? uri(at, "UpdateService", "update") : undefined,
    MultipartHttpPushUri: update.multipart ? uri(at, "UpdateService", "update-multipart") : undefined,
    FirmwareInventory: ref(at, "UpdateService", "FirmwareInventory"),
    Actions: update.simple
      ? {
          "#UpdateService.SimpleUpdate": {
            target,
            "TransferProtocol@Redfish.AllowableValues": ["HTTP", "HTTPS", "TFTP", "NFS"],
          },
        }
      : {},
    Status: healthy,
  };
}

function itemBody(at: Place): JsonObject | undefined {
  const item = inventoryOf(at).find(({ id }) => id === at.params.item);
  if (!item) return undefined;
  return {
    ...head(at, "SoftwareInventory", item.id, item.name),
    Version: item.version,
    Updateable: item.updateable,
    SoftwareId: item.id,
    RelatedItem: relatedTo(at, item),
    Status: { State: item.state, Health: "OK" },
  };
}

function relatedTo(at: Place, { component }: FirmwareEntry): readonly JsonObject[] {
  if (component === "BMC") return [ref(at, "Managers", at.profile.names.manager)];
  return component === "BIOS" ? at.bmc.hosts.map(({ id }) => ref(at, "Systems", id)) : [];
}

function simpleUpdate(at: Place, { body }: Asked): Reply {
  if (!at.profile.update.simple) return refuse(404, "ResourceMissingAtURI", at.path);
  const image = body.ImageURI;
  if (typeof image !== "string" || image === "")
    return refuse(400, "ActionParameterMissing", "UpdateService.SimpleUpdate", "ImageURI");
  return startUpdate(at, { image, targets: textsOf(body.Targets) });
}

function pushUpdate(at: Place, { raw }: Asked): Reply {
  if (!at.profile.update.push) return refuse(404, "ResourceMissingAtURI", at.path);
  if (raw.length === 0) return refuse(400, "UnrecognizedRequestBody");
  return startUpdate(at, { image: firstLine(raw), targets: [] });
}

function multipartUpdate(at: Place, { raw, contentType }: Asked): Reply {
  if (!at.profile.update.multipart) return refuse(404, "ResourceMissingAtURI", at.path);
  const parts = partsOf(raw, contentType);
  const file = parts?.find(({ name }) => name === "UpdateFile");
  const parameters = parts?.find(({ name }) => name === "UpdateParameters");
  if (!file || !parameters) return refuse(400, "UnrecognizedRequestBody");
  return startUpdate(at, { image: file.fileName ?? firstLine(file.data), targets: targetsIn(parameters.data) });
}

function targetsIn(data: Buffer): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(data.toString("utf8"));
    return isObject(parsed) ? textsOf(parsed.Targets) : [];
  } catch {
    return [];
  }
}

/** A pushed image names itself in its first line, as our test images do. */
function firstLine(raw: Buffer): string {
  return raw.subarray(0, 200).toString("utf8").split("\n")[0] ?? "";
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}
