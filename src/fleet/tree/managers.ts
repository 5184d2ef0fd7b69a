/** Managers: the BMC itself, its network, its reset and its attributes. */
import { below, collection, head, healthy, type Place, type Resource, ref, self, typed } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import type { JsonObject } from "../json.ts";
import { since } from "../profiles/profile.ts";
import { managerAttributeLinks } from "./manager-attributes.ts";
import { rememberWrites } from "./writable.ts";

const isManager = (at: Place): boolean => at.params.manager === at.profile.names.manager;

export const managerResources: readonly Resource[] = [
  collection("/Managers", { type: "ManagerCollection", name: "Manager Collection" }, ({ profile }) => [
    profile.names.manager,
  ]),
  {
    path: "/Managers/{manager}",
    read: managerBody,
    patch: rememberWrites({ DateTimeLocalOffset: true, AutoDSTEnabled: true }, managerBody),
  },
  { path: "/Managers/{manager}/Actions/Manager.Reset", post: resetManager },
  {
    path: "/Managers/{manager}/NetworkProtocol",
    read: networkProtocolBody,
    patch: rememberWrites(
      { HostName: true, HTTP: true, HTTPS: true, IPMI: true, SSH: true, SNMP: true, NTP: true },
      networkProtocolBody,
    ),
  },
  collection(
    "/Managers/{manager}/EthernetInterfaces",
    { type: "EthernetInterfaceCollection", name: "Manager network" },
    (at) => (isManager(at) ? ["1"] : undefined),
  ),
  {
    path: "/Managers/{manager}/EthernetInterfaces/{part}",
    read: ethernetBody,
    patch: rememberWrites({ HostName: true, FQDN: true, StaticNameServers: true, DHCPv4: true }, ethernetBody),
  },
];

function managerBody(at: Place): JsonObject | undefined {
  if (!isManager(at)) return undefined;
  const { bmc, profile } = at;
  const { types } = profile.managerReset;
  return {
    "@odata.id": self(at),
    "@odata.type": typed(at, "Manager"),
    Id: profile.names.manager,
    Name: "Manager",
    ManagerType: "BMC",
    UUID: bmc.uuid,
    ServiceEntryPointUUID: bmc.uuid,
    Manufacturer: since(profile, "Manager", 7) ? profile.manufacturer : undefined,
    Model: profile.managerModel,
    SerialNumber: since(profile, "Manager", 7) ? bmc.serial : undefined,
    PartNumber: since(profile, "Manager", 7) ? `B${bmc.draw("manager-part") % 100_000}` : undefined,
    FirmwareVersion: bmc.firmwareVersion,
    PowerState: "On",
    DateTime: `${bmc.world.clock.now().toISOString().slice(0, 19)}+00:00`,
    DateTimeLocalOffset: "+00:00",
    AutoDSTEnabled: since(profile, "Manager", 4) ? false : undefined,
    LastResetTime: since(profile, "Manager", 9) ? bmc.lastReset?.toISOString() : undefined,
    GraphicalConsole: { ServiceEnabled: true, MaxConcurrentSessions: 4, ConnectTypesSupported: ["KVMIP"] },
    SerialConsole: { ServiceEnabled: true, MaxConcurrentSessions: 1, ConnectTypesSupported: ["SSH", "IPMI"] },
    CommandShell: { ServiceEnabled: true, MaxConcurrentSessions: 4, ConnectTypesSupported: ["SSH"] },
    Status: healthy,
    EthernetInterfaces: below(at, "EthernetInterfaces"),
    NetworkProtocol: below(at, "NetworkProtocol"),
    LogServices: below(at, "LogServices"),
    VirtualMedia: profile.virtualMedia.under === "manager" ? below(at, "VirtualMedia") : undefined,
    Links: {
      ManagerForServers: bmc.hosts.map(({ id }) => ref(at, "Systems", id)),
      ManagerForChassis: bmc.hosts.map(({ n }) => ref(at, "Chassis", profile.names.chassis(n, bmc.hosts.length))),
      Oem: managerAttributeLinks(at),
    },
    Actions: {
      "#Manager.Reset": {
        target: `${at.path}/Actions/Manager.Reset${profile.trailingSlash ? "/" : ""}`,
        "ResetType@Redfish.AllowableValues": types,
      },
    },
    Oem: profile.oem.Manager,
  };
}

function resetManager(at: Place, { body }: { readonly body: JsonObject }): Reply {
  if (!isManager(at)) return refuse(404, "ResourceMissingAtURI", at.path);
  const { types, defaultType } = at.profile.managerReset;
  const type = body.ResetType ?? defaultType;
  if (types && !types.includes(String(type)))
    return refuse(400, "ActionParameterValueNotInList", String(type), "ResetType", "Manager.Reset");
  if (!types && "ResetType" in body) return refuse(400, "ActionParameterUnknown", "Manager.Reset", "ResetType");
  // The answer has to leave before the BMC does.
  at.bmc.world.clock.after(0, () => at.bmc.reboot());
  return at.profile.power.status === 204
    ? noContent
    : { status: at.profile.power.status, sayings: [{ key: "Success" }] };
}

function networkProtocolBody(at: Place): JsonObject | undefined {
  if (!isManager(at)) return undefined;
  const hostName = `bmc-${at.bmc.serial.toLowerCase()}`;
  return {
    ...head(at, "ManagerNetworkProtocol", "NetworkProtocol", "Manager Network Protocol"),
    HostName: hostName,
    FQDN: `${hostName}.oob.example`,
    HTTP: { ProtocolEnabled: true, Port: 80 },
    HTTPS: { ProtocolEnabled: true, Port: 443 },
    IPMI: { ProtocolEnabled: true, Port: 623 },
    SSH: { ProtocolEnabled: true, Port: 22 },
    SNMP: { ProtocolEnabled: false, Port: 161 },
    NTP: { ProtocolEnabled: true, Port: 123, NTPServers: ["0.pool.ntp.example", "1.pool.ntp.example"] },
    Status: healthy,
  };
}

function ethernetBody(at: Place): JsonObject | undefined {
  if (!isManager(at) || at.params.part !== "1") return undefined;
  return {
    ...head(at, "EthernetInterface", "1", "Manager network interface"),
    MACAddress: at.bmc.mac,
    PermanentMACAddress: at.bmc.mac,
    SpeedMbps: 1000,
    FullDuplex: true,
    LinkStatus: "LinkUp",
    InterfaceEnabled: true,
    HostName: `bmc-${at.bmc.serial.toLowerCase()}`,
    FQDN: `bmc-${at.bmc.serial.toLowerCase()}.oob.example`,
    DHCPv4: { DHCPEnabled: true, UseDNSServers: true },
    IPv4Addresses: [],
    IPv6Addresses: [],
    NameServers: [],
    StaticNameServers: [],
    Status: healthy,
  };
}
