/** The service root: who the BMC is and where its services are. */
import { type Json, readLink, readRecord, readString, reported } from "../protocol/read.ts";

export interface ServiceRoot {
  readonly redfishVersion?: string;
  readonly uuid?: string;
  readonly vendor?: string;
  readonly product?: string;
  readonly systems?: string;
  readonly managers?: string;
  readonly chassis?: string;
  readonly accountService?: string;
  readonly sessionService?: string;
  readonly eventService?: string;
  readonly updateService?: string;
  readonly registries?: string;
  readonly tasks?: string;
  readonly certificateService?: string;
  /** The keys of `Oem`, which name the vendor where `Vendor` does not. */
  readonly oem: readonly string[];
}

export function serviceRootOf(body: Json): ServiceRoot {
  return {
    ...reported({
      redfishVersion: readString(body, "RedfishVersion"),
      uuid: readString(body, "UUID")?.toLowerCase(),
      vendor: readString(body, "Vendor"),
      product: readString(body, "Product"),
      systems: readLink(body, "Systems"),
      managers: readLink(body, "Managers"),
      chassis: readLink(body, "Chassis"),
      accountService: readLink(body, "AccountService"),
      sessionService: readLink(body, "SessionService"),
      eventService: readLink(body, "EventService"),
      updateService: readLink(body, "UpdateService"),
      registries: readLink(body, "Registries"),
      tasks: readLink(body, "Tasks"),
      certificateService: readLink(body, "CertificateService"),
    }),
    oem: Object.keys(readRecord(body, "Oem") ?? {}),
  };
}
