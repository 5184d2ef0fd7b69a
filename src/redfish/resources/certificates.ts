/** The certificate of the BMC's web server: what it shows, and how to replace it. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import { readLink, readRecord, readString, reported } from "../protocol/read.ts";
import type { Accepted, CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { actionOf } from "./action.ts";

export interface Certificate {
  readonly path: string;
  readonly subject?: string;
  readonly issuer?: string;
  readonly notBefore?: string;
  readonly notAfter?: string;
  readonly fingerprint?: string;
}

export function certificateOf({ path, body }: Resource): Certificate {
  return {
    path,
    ...reported({
      subject: readString(readRecord(body, "Subject"), "CommonName"),
      issuer: readString(readRecord(body, "Issuer"), "CommonName"),
      notBefore: readString(body, "ValidNotBefore"),
      notAfter: readString(body, "ValidNotAfter"),
      fingerprint: readString(body, "Fingerprint"),
    }),
  };
}

/** The certificates of HTTPS: as the network protocol names them, else below it, where most firmware has them. */
export async function readHttpsCertificates(
  service: RedfishService,
  networkProtocol: string | undefined,
  options: CallOptions = {},
): Promise<Outcome<readonly Certificate[]>> {
  if (networkProtocol === undefined) return failure("NotSupported", "the manager has no network protocol resource");
  const protocol = await service.get(networkProtocol, options);
  if (!protocol.ok) return protocol;
  const named = readLink(readRecord(protocol.value.body, "HTTPS"), "Certificates");
  const slash = networkProtocol.endsWith("/") ? "/" : "";
  const usual = `${networkProtocol.replace(/\/$/, "")}/HTTPS/Certificates${slash}`;
  const members = await service.members(named ?? usual, options);
  return members.ok ? success(members.value.map(certificateOf)) : members;
}

/** Replaces a certificate by a PEM one. The BMC may restart its web server: sessions can end. */
export async function replaceCertificate(
  service: RedfishService,
  certificateService: string | undefined,
  { certificate, pem }: { readonly certificate: string; readonly pem: string },
  options: CallOptions = {},
): Promise<Outcome<Accepted>> {
  if (certificateService === undefined) return failure("NotSupported", "the BMC has no certificate service");
  const resource = await service.get(certificateService, options);
  if (!resource.ok) return resource;
  const action = actionOf(resource.value, "#CertificateService.ReplaceCertificate");
  if (!action.ok) return action;
  const body = { CertificateString: pem, CertificateType: "PEM", CertificateUri: { "@odata.id": certificate } };
  return service.post(action.value.target, body, options);
}
