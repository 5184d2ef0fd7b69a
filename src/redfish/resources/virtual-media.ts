/** Virtual media: an image at an address becomes a drive of the machine. By action, or by PATCH where that is the way. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import { readBoolean, readString, readStrings, reported } from "../protocol/read.ts";
import { withoutSecrets } from "../protocol/redact.ts";
import type { CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { actionOf } from "./action.ts";

export interface VirtualMedium {
  readonly path: string;
  readonly id?: string;
  readonly mediaTypes: readonly string[];
  readonly image?: string;
  readonly inserted: boolean;
  readonly writeProtected?: boolean;
}

export interface MediaImage {
  readonly url: string;
  /** CD unless said otherwise. */
  readonly type?: string;
  readonly username?: string;
  readonly password?: () => string;
}

export function virtualMediumOf({ quirks }: RedfishService, { path, body }: Resource): VirtualMedium {
  const image = readString(body, "Image") ?? readString(body, "ImageName");
  const connected = readString(body, "ConnectedVia");
  const empty = connected === "NotConnected" && (quirks.mediaNameLingers === true || image === undefined);
  const inserted = !empty && (readBoolean(body, "Inserted") ?? image !== undefined);
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      image: empty ? undefined : image,
      writeProtected: readBoolean(body, "WriteProtected"),
    }),
    mediaTypes: readStrings(body, "MediaTypes"),
    inserted,
  };
}

/** The drives that can take an image from an address. */
export async function findMedia(
  service: RedfishService,
  collection: string,
  options: CallOptions = {},
): Promise<Outcome<readonly Resource[]>> {
  const members = await service.members(collection, options);
  if (!members.ok) return members;
  const { mediaSlots } = service.quirks;
  return success(members.value.filter(({ body }) => mediaSlots?.test(readString(body, "Id") ?? "") ?? true));
}

/** Puts the image into a drive of its type; the same image in a drive already counts as done. */
export async function insertMedia(
  service: RedfishService,
  collection: string,
  image: MediaImage,
  options: CallOptions = {},
): Promise<Outcome<VirtualMedium>> {
  const drives = await findMedia(service, collection, options);
  if (!drives.ok) return drives;
  const fitting = drives.value.filter((drive) => fits(virtualMediumOf(service, drive), image.type ?? "CD"));
  const already = fitting.find((drive) => virtualMediumOf(service, drive).image === image.url);
  if (already) return success(virtualMediumOf(service, already));
  const drive = fitting.find((one) => !virtualMediumOf(service, one).inserted) ?? fitting[0];
  if (!drive) return failure("NotSupported", `${collection} has no drive for ${image.type ?? "CD"} images`);
  const emptied = await makeRoom(service, drive, options);
  if (!emptied.ok) return emptied;
  const secrets = image.password ? [image.password()] : [];
  const put = withoutSecrets(await putImage(service, emptied.value, image, options), secrets);
  if (!put.ok) return put;
  return seenWith(service, drive.path, image.url, options);
}

function fits({ mediaTypes }: VirtualMedium, type: string): boolean {
  return mediaTypes.length === 0 || mediaTypes.includes(type) || (type === "CD" && mediaTypes.includes("DVD"));
}

async function makeRoom(service: RedfishService, drive: Resource, options: CallOptions): Promise<Outcome<Resource>> {
  if (!service.quirks.mediaEjectFirst || !virtualMediumOf(service, drive).inserted) return success(drive);
  const ejected = await ejectMedia(service, drive, options);
  return ejected.ok ? service.get(drive.path, options) : ejected;
}

async function putImage(
  service: RedfishService,
  drive: Resource,
  { url, username, password }: MediaImage,
  options: CallOptions,
): Promise<Outcome<unknown>> {
  const login = { ...(username ? { UserName: username } : {}), ...(password ? { Password: password() } : {}) };
  const full = service.quirks.mediaImageOnly ? {} : { Inserted: true, WriteProtected: true };
  const action = actionOf(drive, "#VirtualMedia.InsertMedia");
  if (!action.ok || service.quirks.mediaByPatch)
    return service.patch(
      drive,
      { Image: url, ...login, ...(service.quirks.mediaImageOnly ? {} : { Inserted: true }) },
      options,
    );
  return service.post(action.value.target, { Image: url, ...login, ...full }, options);
}

async function seenWith(
  service: RedfishService,
  path: string,
  url: string,
  options: CallOptions,
): Promise<Outcome<VirtualMedium>> {
  const now = await service.get(path, options);
  if (!now.ok) return now;
  const medium = virtualMediumOf(service, now.value);
  if (medium.inserted) return success(medium);
  return failure("Refused", `${path} took the image ${url} without complaint and shows an empty drive`);
}

/** Empties the drive as it was just read; an empty one is left alone, because some firmware refuses that. */
export async function ejectMedia(
  service: RedfishService,
  drive: Resource,
  options: CallOptions = {},
): Promise<Outcome<{ readonly changed: boolean }>> {
  if (!virtualMediumOf(service, drive).inserted) return success({ changed: false });
  const action = actionOf(drive, "#VirtualMedia.EjectMedia");
  const byPatch = !action.ok || service.quirks.mediaByPatch;
  const answer = byPatch
    ? await service.patch(drive, { Image: null, Inserted: false }, options)
    : await service.post(action.value.target, {}, options);
  return answer.ok ? success({ changed: true }) : answer;
}
