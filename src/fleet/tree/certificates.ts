/** CertificateService: where the certificate of the BMC's web server can be seen and replaced. */
import { collection, head, type Place, type Resource, ref, uri } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import type { JsonObject } from "../json.ts";
import { since } from "../profiles/profile.ts";
import { remember } from "./writable.ts";

const isHere = (at: Place): boolean =>
  since(at.profile, "ServiceRoot", 5) && (at.params.manager ?? at.profile.names.manager) === at.profile.names.manager;

export const certificateResources: readonly Resource[] = [
  { path: "/CertificateService", read: serviceBody },
  { path: "/CertificateService/Actions/CertificateService.ReplaceCertificate", post: replace },
  collection(
    "/Managers/{manager}/NetworkProtocol/HTTPS/Certificates",
    { type: "CertificateCollection", name: "Certificates" },
    (at) => (isHere(at) ? ["1"] : undefined),
  ),
  { path: "/Managers/{manager}/NetworkProtocol/HTTPS/Certificates/{certificate}", read: certificateBody },
];

function serviceBody(at: Place): JsonObject | undefined {
  if (!isHere(at)) return undefined;
  const target = uri(at, "CertificateService", "Actions", "CertificateService.ReplaceCertificate");
  return {
    ...head(at, "CertificateService", "CertificateService", "Certificate Service"),
    Actions: { "#CertificateService.ReplaceCertificate": { target } },
  };
}

function certificateBody(at: Place): JsonObject | undefined {
  if (!isHere(at) || at.params.certificate !== "1") return undefined;
  const name = `bmc-${at.bmc.serial.toLowerCase()}.oob.example`;
  return {
    ...head(at, "Certificate", "1", "HTTPS Certificate"),
    CertificateType: "PEM",
    Subject: { CommonName: name, Organization: at.profile.vendor },
    Issuer: { CommonName: "Simulated fleet" },
    ValidNotBefore: "2026-01-01T00:00:00Z",
    ValidNotAfter: at.bmc.fault("tls-expired") ? "2026-01-02T00:00:00Z" : "2036-01-01T00:00:00Z",
    KeyUsage: ["ServerAuthentication"],
  };
}

function replace(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const { CertificateString: text, CertificateType: type } = body;
  const { manager } = at.profile.names;
  if (!isHere(at)) return refuse(404, "ResourceMissingAtURI", at.path);
  if (typeof text !== "string" || !text.includes("BEGIN CERTIFICATE"))
    return refuse(400, "ActionParameterMissing", "CertificateService.ReplaceCertificate", "CertificateString");
  if (type !== "PEM")
    return refuse(
      400,
      "ActionParameterValueNotInList",
      String(type),
      "CertificateType",
      "CertificateService.ReplaceCertificate",
    );
  const where = ref(at, "Managers", manager, "NetworkProtocol", "HTTPS", "Certificates", "1")["@odata.id"];
  remember({ ...at, path: where.replace(/\/$/, "") }, { CertificateString: text }, {});
  return noContent;
}
