/** The firmware inventory: what is installed where, and what waits for a restart. */
import { readBoolean, readLink, readLinks, readString, reported } from "../protocol/read.ts";
import type { Resource } from "../protocol/service.ts";
import type { Survey } from "../protocol/survey.ts";
import { type Status, statusOf } from "./status.ts";

export interface FirmwareEntry {
  readonly path: string;
  readonly id?: string;
  readonly name?: string;
  readonly version?: string;
  readonly updateable?: boolean;
  readonly softwareId?: string;
  readonly relatedItems: readonly string[];
  readonly status: Status;
}

/** Every vendor has it right below the update service, so the service itself is asked only where it is not there. */
export async function readFirmwareInventory(
  survey: Survey,
  updateService: string | undefined,
): Promise<readonly FirmwareEntry[]> {
  if (updateService === undefined) return [];
  const slash = updateService.endsWith("/") ? "/" : "";
  const usual = `${updateService.replace(/\/$/, "")}/FirmwareInventory${slash}`;
  const found = await survey.membersIfThere(usual);
  return (found ?? (await listedByService(survey, updateService))).map(firmwareEntryOf);
}

async function listedByService(survey: Survey, updateService: string): Promise<readonly Resource[]> {
  const service = await survey.read(updateService);
  return survey.members(readLink(service?.body, "FirmwareInventory"));
}

export function firmwareEntryOf({ path, body }: Resource): FirmwareEntry {
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      name: readString(body, "Name"),
      version: readString(body, "Version"),
      updateable: readBoolean(body, "Updateable"),
      softwareId: readString(body, "SoftwareId"),
    }),
    relatedItems: readLinks(body, "RelatedItem"),
    status: statusOf(body),
  };
}
