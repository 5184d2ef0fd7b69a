/** Lenovo XClarity Controller. */
import { usualAttributes } from "./attributes.ts";
import { openbmc, usualFirmware } from "./openbmc.ts";
import type { Profile } from "./profile.ts";

const numbered = (n: number): string => String(n);

export const lenovoXcc: Profile = {
  ...openbmc,
  name: "lenovo-xcc",
  multiSystem: false,
  manufacturer: "Lenovo",
  vendor: "Lenovo",
  product: "Lenovo XClarity Controller",
  models: ["ThinkSystem SR650 V2", "ThinkSystem SR630 V2"],
  managerModel: "Lenovo XClarity Controller",
  redfishVersion: "1.15.0",
  username: "USERID",
  macPrefix: "38:68:dd",
  names: {
    system: numbered,
    chassis: numbered,
    manager: "1",
    processor: numbered,
    memory: numbered,
    storage: "RAID_Slot4",
    drive: (n) => `Disk.${n - 1}`,
    ethernet: (n) => `NIC${n}`,
    virtualMedia: ["EXT1", "Remote1"],
  },
  versions: { ComputerSystem: "v1_18_0", Manager: "v1_16_0", Chassis: "v1_20_0" },
  messages: { registry: "Base", version: "1.14.0" },
  etags: { form: "weak", accepts: "strong-only", refusedOnActions: "none" },
  expand: { maxLevels: 2 },
  select: false,
  sessions: { slots: 16, full: { status: 503, message: "SessionLimitExceeded" } },
  accounts: { slots: 12, create: "patch-slot", lockout: { threshold: 5, seconds: 3600 } },
  power: {
    resetTypes: ["On", "ForceOff", "GracefulShutdown", "GracefulRestart", "ForceRestart", "Nmi", "ForceOn"],
    status: 204,
    refusesSameState: false,
    listsValues: true,
    transitional: false,
  },
  boot: {
    targets: ["None", "Pxe", "Cd", "Usb", "Hdd", "BiosSetup", "Diags", "UefiTarget", "UefiHttp"],
    reportsMode: true,
    order: "writable",
    settingsObject: false,
  },
  indicator: "led",
  bios: {
    settings: "Pending",
    registry: "BiosAttributeRegistry.1.0.0",
    attributes: usualAttributes({
      bootMode: "BootModes_SystemBootMode",
      hyperthreading: "Processors_HyperThreading",
      profile: "OperatingModes_ChooseOperatingMode",
      turbo: "Processors_TurboMode",
      usb: "DevicesandIOPorts_USBPorts",
      cores: "Processors_CoresinCPUPackage",
      phone: "SystemInformation_AssetTag",
      virtualization: "Processors_IntelVirtualizationTechnology",
      secureBoot: "SecureBootConfiguration_SecureBootSetting",
      httpBoot: "NetworkStackSettings_IPv4HTTPSupport",
    }),
    mirrorsCurrent: true,
    statesReset: true,
    makesJob: false,
  },
  update: {
    ...openbmc.update,
    taskIn: "body",
    handsToJob: true,
    firmware: ({ bios, bmc }) =>
      usualFirmware(
        { id: "Firmware:UEFI", name: "UEFI", version: bios },
        { id: "Firmware:BMC", name: "BMC (Primary)", version: bmc },
      ),
    staged: ({ id }) => ({ id: `${id}-PENDING`, state: "StandbySpare" }),
    biosVersions: ["AFE130H", "AFE126K"],
    bmcVersions: ["AFBT54L", "AFBT46C"],
  },
  sensors: { legacy: true, modern: true },
  events: { sse: true, retryPolicy: true, originAsText: false, slots: 18 },
  latency: { medianMs: 290, spread: 0.4, slow: { Storage: 3 } },
  oem: {
    ComputerSystem: {
      Lenovo: { "@odata.type": "#LenovoComputerSystem.v1_0_0.LenovoComputerSystem", TotalPowerOnHours: 1234 },
    },
  },
};
