/** Dell iDRAC 9. */
import { usualAttributes } from "./attributes.ts";
import { openbmc, usualFirmware } from "./openbmc.ts";
import type { BiosAttribute, Profile } from "./profile.ts";

const onOff = { Enabled: "Enabled", Disabled: "Disabled" };

/** Enumerations are reported by display name and written by value name. */
const managerAttributes: readonly BiosAttribute[] = [
  {
    name: "NTPConfigGroup.1.NTPEnable",
    type: "Enumeration",
    value: "0",
    choices: { "0": "Disabled", "1": "Enabled" },
    reset: true,
  },
  { name: "NTPConfigGroup.1.NTP1", type: "String", value: "", reset: true },
  {
    name: "SysLog.1.SysLogEnable",
    type: "Enumeration",
    value: "0",
    choices: { "0": "Disabled", "1": "Enabled" },
    reset: true,
  },
  { name: "SysLog.1.Server1", type: "String", value: "", reset: false },
  {
    name: "SNMP.1.AgentEnable",
    type: "Enumeration",
    value: "1",
    choices: { "0": "Disabled", "1": "Enabled" },
    reset: true,
  },
  { name: "WebServer.1.Timeout", type: "Integer", value: 1800, bounds: [-1, 10800], reset: false },
  {
    name: "IPMILan.1.Enable",
    type: "Enumeration",
    value: "0",
    choices: { "0": "Disabled", "1": "Enabled" },
    reset: false,
  },
  {
    name: "ServerPwr.1.PSRapidOn",
    type: "Enumeration",
    value: "1",
    choices: { "0": "Disabled", "1": "Enabled" },
    reset: false,
  },
  {
    name: "ThermalSettings.1.ThermalProfile",
    type: "Enumeration",
    value: "0",
    choices: { "0": "Default Thermal Profile Settings", "1": "Maximum Performance" },
    reset: false,
  },
  {
    name: "LCAttributes.1.CollectSystemInventoryOnRestart",
    type: "Enumeration",
    value: "Enabled",
    choices: onOff,
    reset: false,
  },
  { name: "EmailAlert.1.Enable", type: "Enumeration", value: "Disabled", choices: onOff, reset: false },
];

export const dellIdrac9: Profile = {
  ...openbmc,
  name: "dell-idrac9",
  multiSystem: false,
  manufacturer: "Dell Inc.",
  vendor: "Dell",
  product: "Integrated Dell Remote Access Controller",
  models: ["PowerEdge R650", "PowerEdge R750", "PowerEdge R7525"],
  managerModel: "16G Monolithic",
  redfishVersion: "1.18.0",
  username: "root",
  macPrefix: "d0:8e:79",
  names: {
    system: (n, of) => (of > 1 ? `System.Embedded.${n}` : "System.Embedded.1"),
    chassis: (n) => `System.Embedded.${n}`,
    manager: "iDRAC.Embedded.1",
    processor: (n) => `CPU.Socket.${n}`,
    memory: (n) => `DIMM.Socket.${n <= 8 ? "A" : "B"}${((n - 1) % 8) + 1}`,
    storage: "RAID.Integrated.1-1",
    drive: (n) => `Disk.Bay.${n - 1}:Enclosure.Internal.0-1:RAID.Integrated.1-1`,
    ethernet: (n) => `NIC.Integrated.1-${n}-1`,
    virtualMedia: ["1", "2"],
  },
  messages: { registry: "Base", version: "1.12" },
  etags: { form: "weak", accepts: "given", refusedOnActions: "update" },
  expand: { maxLevels: 1 },
  sessions: { slots: 8, full: { status: 400, message: "IDRAC.2.8.RAC0218" } },
  accounts: { slots: 16, create: "patch-slot", lockout: { threshold: 3, seconds: 600 } },
  power: {
    resetTypes: [
      "On",
      "ForceOff",
      "ForceRestart",
      "GracefulRestart",
      "GracefulShutdown",
      "PushPowerButton",
      "Nmi",
      "PowerCycle",
    ],
    status: 204,
    refusesSameState: true,
    listsValues: true,
    transitional: false,
  },
  managerReset: { types: ["GracefulRestart"], defaultType: "GracefulRestart" },
  boot: {
    targets: ["None", "Pxe", "Floppy", "Cd", "Hdd", "BiosSetup", "Utilities", "UefiTarget", "SDCard", "UefiHttp"],
    reportsMode: true,
    order: "writable",
    settingsObject: true,
  },
  indicator: "both",
  bios: {
    settings: "Settings",
    registry: "BiosAttributeRegistry.v1_0_0",
    attributes: usualAttributes({
      bootMode: "BootMode",
      hyperthreading: "LogicalProc",
      profile: "SysProfile",
      turbo: "ProcTurboMode",
      usb: "UsbPorts",
      cores: "ProcCores",
      phone: "AssetTag",
      virtualization: "ProcVirtualization",
      secureBoot: "SecureBoot",
      httpBoot: "HttpDev1EnDis",
    }),
    mirrorsCurrent: false,
    statesReset: true,
    makesJob: true,
  },
  managerAttributes,
  update: {
    ...openbmc.update,
    push: false,
    locates: "task",
    taskIn: "location",
    taskIds: "jid",
    firmware: ({ bios, bmc }) =>
      usualFirmware(
        { id: `Installed-159-${bios}__BIOS.Setup.1-1`, name: "BIOS", version: bios },
        {
          id: `Installed-25227-${bmc}__iDRAC.Embedded.1-1`,
          name: "Integrated Dell Remote Access Controller",
          version: bmc,
        },
      ),
    staged: ({ version }) => ({ id: `Available-159-${version}__BIOS.Setup.1-1`, state: "Staged" }),
    biosVersions: ["1.13.2", "1.10.2", "2.19.1"],
    bmcVersions: ["7.00.30.00", "7.10.50.00", "6.10.80.00"],
  },
  virtualMedia: { under: "system", refusesSecondInsert: true },
  sensors: { legacy: true, modern: true },
  events: { sse: true, retryPolicy: true, originAsText: true, slots: 10 },
  latency: { medianMs: 320, spread: 0.5, slow: { FirmwareInventory: 4, Storage: 2 } },
  oem: {
    ServiceRoot: { Dell: { "@odata.type": "#DellServiceRoot.v1_0_0.DellServiceRoot", IsBranded: 0 } },
    ComputerSystem: {
      Dell: {
        DellSystem: {
          "@odata.type": "#DellSystem.v1_4_0.DellSystem",
          LastSystemInventoryTime: "2026-01-01T00:00:00+00:00",
        },
      },
    },
  },
};
