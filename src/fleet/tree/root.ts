/** The service root and the documents of the protocol itself. */
import type { ServerResponse } from "node:http";
import { type Place, type Resource, ref } from "../http/place.ts";
import type { JsonObject } from "../json.ts";
import { since, versionOf } from "../profiles/profile.ts";

export const rootResources: readonly Resource[] = [
  { path: "/", open: true, read: serviceRootBody },
  { path: "/odata", open: true, read: odataBody },
  { path: "/$metadata", open: true, stream: () => ({ takeOver: sendMetadata }) },
];

/** Clients that read schemas get their own copies; this names the service's container and no more. */
const metadata = `<?xml version="1.0" encoding="UTF-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
  <edmx:DataServices>
    <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Service">
      <EntityContainer Name="Service"/>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>
`;

function sendMetadata(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/xml; charset=utf-8", "odata-version": "4.0" }).end(metadata);
}

function serviceRootBody(at: Place): JsonObject {
  const { profile } = at;
  const isNew = since(profile, "ServiceRoot", 6);
  return {
    "@odata.id": profile.trailingSlash ? "/redfish/v1/" : "/redfish/v1",
    "@odata.type": `#ServiceRoot.${versionOf(profile, "ServiceRoot")}.ServiceRoot`,
    Id: "RootService",
    Name: "Root Service",
    RedfishVersion: profile.redfishVersion,
    UUID: at.bmc.uuid,
    Product: since(profile, "ServiceRoot", 3) ? profile.product : undefined,
    Vendor: since(profile, "ServiceRoot", 5) ? profile.vendor : undefined,
    ProtocolFeaturesSupported: isNew ? features(at) : undefined,
    Systems: ref(at, "Systems"),
    Chassis: ref(at, "Chassis"),
    Managers: ref(at, "Managers"),
    AccountService: ref(at, "AccountService"),
    SessionService: profile.sessions ? ref(at, "SessionService") : undefined,
    Tasks: ref(at, "TaskService"),
    JobService: profile.update.handsToJob ? ref(at, "JobService") : undefined,
    EventService: profile.events ? ref(at, "EventService") : undefined,
    UpdateService: ref(at, "UpdateService"),
    Registries: ref(at, "Registries"),
    CertificateService: since(profile, "ServiceRoot", 5) ? ref(at, "CertificateService") : undefined,
    Links: profile.sessions ? { Sessions: ref(at, "SessionService", "Sessions") } : {},
    Oem: profile.oem.ServiceRoot,
  };
}

function features({ profile }: Place): JsonObject {
  return {
    FilterQuery: false,
    SelectQuery: profile.select,
    OnlyMemberQuery: false,
    ExcerptQuery: false,
    ExpandQuery: {
      ExpandAll: profile.expand !== undefined,
      Levels: profile.expand !== undefined,
      Links: false,
      NoLinks: profile.expand !== undefined,
      MaxLevels: profile.expand?.maxLevels,
    },
  };
}

function odataBody(at: Place): JsonObject {
  const services = ["Systems", "Chassis", "Managers", "AccountService", "UpdateService", "Registries"];
  return {
    "@odata.context": "/redfish/v1/$metadata",
    value: [
      { name: "Service", kind: "Singleton", url: "/redfish/v1/" },
      ...services.map((name) => ({ name, kind: "Singleton", url: ref(at, name)["@odata.id"] })),
    ],
  };
}
