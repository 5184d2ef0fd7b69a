/** Virtual media: insert and eject images that a machine can start from. */

import type { Host } from "../host/host.ts";
import { collection, head, type Place, type Resource } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import type { JsonObject } from "../json.ts";

const underManager = "/Managers/{manager}/VirtualMedia";
const underSystem = "/Systems/{system}/VirtualMedia";

export const virtualMediaResources: readonly Resource[] = [underManager, underSystem].flatMap((base) => [
  collection(
    base,
    { type: "VirtualMediaCollection", name: "Virtual Media" },
    (at) => hostFor(at) && at.profile.names.virtualMedia,
  ),
  { path: `${base}/{medium}`, read: mediumBody, patch: patchMedium },
  { path: `${base}/{medium}/Actions/VirtualMedia.InsertMedia`, post: insert },
  { path: `${base}/{medium}/Actions/VirtualMedia.EjectMedia`, post: eject },
]);

/** A manager's medium is plugged into its first system. */
function hostFor(at: Place): Host | undefined {
  const { under } = at.profile.virtualMedia;
  if (at.params.system !== undefined)
    return under === "system" ? at.bmc.hosts.find(({ id }) => id === at.params.system) : undefined;
  return under === "manager" && at.params.manager === at.profile.names.manager ? at.bmc.hosts[0] : undefined;
}

function mediumAt(at: Place): { readonly host: Host; readonly id: string } | undefined {
  const host = hostFor(at);
  const id = at.params.medium ?? "";
  return host && at.profile.names.virtualMedia.includes(id) ? { host, id } : undefined;
}

function mediumBody(at: Place): JsonObject | undefined {
  const found = mediumAt(at);
  if (!found) return undefined;
  const { host, id } = found;
  const media = host.media?.get(id);
  const slash = at.profile.trailingSlash ? "/" : "";
  const isDisc = !/usb|removable|floppy/i.test(id) && id !== at.profile.names.virtualMedia[1];
  return {
    ...head(at, "VirtualMedia", id, `Virtual medium ${id}`),
    MediaTypes: isDisc ? ["CD", "DVD"] : ["USBStick"],
    Image: media?.image ?? null,
    ImageName: media ? (media.image.split("/").at(-1) ?? null) : null,
    Inserted: media !== undefined,
    ConnectedVia: media ? "URI" : "NotConnected",
    WriteProtected: media?.writeProtected ?? true,
    TransferMethod: "Stream",
    TransferProtocolType: media ? media.image.split(":")[0]?.toUpperCase() : null,
    Actions: {
      "#VirtualMedia.InsertMedia": { target: `${at.path}/Actions/VirtualMedia.InsertMedia${slash}` },
      "#VirtualMedia.EjectMedia": { target: `${at.path}/Actions/VirtualMedia.EjectMedia${slash}` },
    },
  };
}

function insert(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const found = mediumAt(at);
  if (!found) return refuse(404, "ResourceMissingAtURI", at.path);
  const { host, id } = found;
  const image = body.Image;
  if (typeof image !== "string" || image === "")
    return refuse(400, "ActionParameterMissing", "VirtualMedia.InsertMedia", "Image");
  if (!/^(https?|nfs|smb|cifs):\/\//i.test(image))
    return refuse(400, "ActionParameterValueTypeError", image, "Image", "VirtualMedia.InsertMedia");
  if (host.media?.has(id) && at.profile.virtualMedia.refusesSecondInsert) return refuse(500, "ResourceInUse");
  host.media ??= new Map();
  host.media.set(id, { image, writeProtected: body.WriteProtected !== false });
  return noContent;
}

/** Ejecting an empty drive is refused where a second insert is: that firmware tracks its drive strictly. */
function eject(at: Place): Reply {
  const found = mediumAt(at);
  if (!found) return refuse(404, "ResourceMissingAtURI", at.path);
  const wasThere = found.host.media?.delete(found.id) ?? false;
  return wasThere || !at.profile.virtualMedia.refusesSecondInsert ? noContent : refuse(500, "ResourceInUse");
}

/** Older firmware inserts and ejects by PATCH. */
function patchMedium(at: Place, asked: { readonly body: JsonObject }): Reply {
  const { Image: image, Inserted: inserted } = asked.body;
  if (image === null || inserted === false) return eject(at);
  return insert(at, asked);
}
