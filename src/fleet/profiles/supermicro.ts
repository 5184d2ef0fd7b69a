/** Supermicro X12, and X10 with its old schemas; twins and quads are theirs too. */
import { usualAttributes } from "./attributes.ts";
import { openbmc, usualFirmware } from "./openbmc.ts";
import type { Profile } from "./profile.ts";

const numbered = (n: number): string => String(n);

export const supermicroX12: Profile = {
  ...openbmc,
  name: "supermicro-x12",
  manufacturer: "Supermicro",
  vendor: "Supermicro",
  product: "Supermicro BMC",
  models: ["SYS-620P-TRT", "SYS-220BT-HNTR", "AS-2024US-TRT"],
  managerModel: "ASPEED",
  redfishVersion: "1.11.0",
  username: "ADMIN",
  macPrefix: "3c:ec:ef",
  names: {
    system: numbered,
    chassis: numbered,
    manager: "1",
    processor: numbered,
    memory: numbered,
    storage: "HA-RAID",
    drive: (n) => `Disk.Bay.${n - 1}`,
    ethernet: numbered,
    virtualMedia: ["VirtualMedia1", "VirtualMedia2"],
  },
  versions: { ServiceRoot: "v1_9_0", ComputerSystem: "v1_14_0", Manager: "v1_11_0", Chassis: "v1_15_0" },
  messages: { registry: "Base", version: "1.10.0" },
  etags: { form: "weak", accepts: "given", refusedOnActions: "all" },
  expand: undefined,
  select: false,
  sessions: { slots: 16, full: { status: 503, message: "SessionLimitExceeded" } },
  accounts: { slots: 16, create: "post" },
  power: {
    resetTypes: ["On", "ForceOff", "GracefulShutdown", "GracefulRestart", "ForceRestart", "Nmi", "ForceOn"],
    status: 200,
    refusesSameState: false,
    listsValues: false,
    transitional: false,
  },
  boot: {
    targets: ["None", "Pxe", "Floppy", "Cd", "Usb", "Hdd", "BiosSetup", "UefiUsbCd", "UefiBootNext", "UefiHttp"],
    reportsMode: true,
    order: "writable",
    settingsObject: false,
  },
  indicator: "both",
  bios: {
    settings: "SD",
    registry: "BiosAttributeRegistry.v1_0_1",
    attributes: usualAttributes({
      bootMode: "BootModeSelect_008A",
      hyperthreading: "Hyper_Threading_ALL_0042",
      profile: "PowerTechnology_0056",
      turbo: "TurboMode_0061",
      usb: "LegacyUSBSupport_0017",
      cores: "CoresEnabled_0045",
      phone: "AssetTag_0091",
      virtualization: "IntelVirtualizationTechnology_004B",
      secureBoot: "SecureBoot_00C2",
      httpBoot: "IPv4HTTPSupport_0071",
    }),
    mirrorsCurrent: true,
    statesReset: true,
    makesJob: false,
  },
  update: {
    ...openbmc.update,
    push: false,
    firmware: ({ bios, bmc }) =>
      usualFirmware({ id: "BIOS", name: "BIOS", version: bios }, { id: "BMC", name: "BMC", version: bmc }),
    staged: () => ({ id: "BIOS_Staged", state: "StandbySpare" }),
    biosVersions: ["1.4b", "2.1", "1.8a"],
    bmcVersions: ["01.01.42", "01.03.16"],
  },
  sensors: { legacy: true, modern: false },
  events: { sse: false, retryPolicy: true, originAsText: false, slots: 10 },
  latency: { medianMs: 410, spread: 0.6, slow: { Chassis: 2 } },
  oem: { ComputerSystem: { Supermicro: { "@odata.type": "#SmcSystemExtensions.v1_0_0.System" } } },
};

/** Knows no boot mode, no boot order, no location indicator, no certificates. */
export const supermicroX10: Profile = {
  ...supermicroX12,
  name: "supermicro-x10",
  models: ["SYS-6018R-MTR", "SYS-2028TP-HC1R"],
  redfishVersion: "1.0.1",
  versions: {
    ServiceRoot: "v1_1_0",
    ComputerSystem: "v1_3_0",
    Manager: "v1_3_1",
    Chassis: "v1_4_0",
    Drive: "v1_2_0",
    UpdateService: "v1_2_0",
  },
  messages: { registry: "Base", version: "1.0.0" },
  etags: { form: "none", accepts: "given", refusedOnActions: "none" },
  boot: {
    targets: ["None", "Pxe", "Floppy", "Cd", "Usb", "Hdd", "BiosSetup"],
    reportsMode: false,
    order: "refused",
    settingsObject: false,
  },
  indicator: "led",
  update: { ...supermicroX12.update, multipart: false, biosVersions: ["3.4", "2.0b"], bmcVersions: ["3.88", "3.62"] },
  events: undefined,
  latency: { medianMs: 650, spread: 0.6, slow: { Chassis: 2 } },
};
