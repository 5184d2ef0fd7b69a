/** HPE iLO 5 and iLO 6. */
import { usualAttributes } from "./attributes.ts";
import { openbmc, usualFirmware } from "./openbmc.ts";
import type { Profile } from "./profile.ts";

const numbered = (n: number): string => String(n);

export const hpeIlo6: Profile = {
  ...openbmc,
  name: "hpe-ilo6",
  multiSystem: false,
  manufacturer: "HPE",
  vendor: "HPE",
  product: "ProLiant DL380 Gen11",
  models: ["ProLiant DL380 Gen11", "ProLiant DL360 Gen11"],
  managerModel: "iLO 6",
  redfishVersion: "1.20.0",
  username: "Administrator",
  macPrefix: "94:40:c9",
  trailingSlash: true,
  names: {
    system: numbered,
    chassis: numbered,
    manager: "1",
    processor: numbered,
    memory: (n) => `proc${n <= 8 ? 1 : 2}dimm${((n - 1) % 8) + 1}`,
    storage: "DE00A000",
    drive: (n) => String(n - 1),
    ethernet: numbered,
    virtualMedia: ["2", "1"],
  },
  versions: { ComputerSystem: "v1_17_0", Manager: "v1_5_1", Chassis: "v1_19_0" },
  messages: { registry: "iLO", version: "2.25" },
  etags: { form: "weak", accepts: "given", refusedOnActions: "none" },
  writeStatus: 200,
  expand: { maxLevels: 1 },
  select: false,
  sessions: { slots: 13, full: { status: 503, message: "SessionLimitExceeded" } },
  accounts: { slots: 12, create: "post" },
  power: {
    resetTypes: ["On", "ForceOff", "GracefulShutdown", "ForceRestart", "Nmi", "PushPowerButton", "GracefulRestart"],
    status: 200,
    refusesSameState: true,
    listsValues: true,
    transitional: false,
  },
  managerReset: { types: undefined, defaultType: "ForceRestart" },
  boot: {
    targets: [
      "None",
      "Cd",
      "Hdd",
      "Usb",
      "SDCard",
      "Utilities",
      "Diags",
      "BiosSetup",
      "Pxe",
      "UefiShell",
      "UefiHttp",
      "UefiTarget",
    ],
    reportsMode: true,
    order: "refused",
    settingsObject: false,
  },
  indicator: "both",
  bios: {
    settings: "Settings",
    registry: "BiosAttributeRegistryU54.v1_2_20",
    attributes: usualAttributes({
      bootMode: "BootMode",
      hyperthreading: "ProcHyperthreading",
      profile: "WorkloadProfile",
      turbo: "ProcTurbo",
      usb: "UsbControl",
      cores: "EnabledCoresPerProc",
      phone: "AdminPhone",
      virtualization: "ProcVirtualization",
      secureBoot: "SecureBootStatus",
      httpBoot: "HttpSupport",
    }),
    mirrorsCurrent: true,
    statesReset: false,
    makesJob: false,
  },
  update: {
    ...openbmc.update,
    taskIn: "body",
    monitorEndsAsError: true,
    firmware: ({ bios, bmc }) =>
      usualFirmware({ id: "2", name: "System ROM", version: bios }, { id: "1", name: "iLO 6", version: bmc }),
    staged: () => ({ id: "2-staged", state: "Staged" }),
    biosVersions: ["U54 v2.16", "U54 v1.48"],
    bmcVersions: ["iLO 6 v1.55", "iLO 6 v1.62"],
  },
  sensors: { legacy: true, modern: true },
  events: { sse: true, retryPolicy: false, originAsText: false, slots: 8 },
  closesConnection: true,
  latency: { medianMs: 240, spread: 0.3, slow: { FirmwareInventory: 2 } },
  oem: {
    ServiceRoot: { Hpe: { "@odata.type": "#HpeiLOServiceExt.v2_4_0.HpeiLOServiceExt", Moniker: { PRODGEN: "iLO 6" } } },
    ComputerSystem: {
      Hpe: { "@odata.type": "#HpeComputerSystemExt.v2_13_0.HpeComputerSystemExt", PostState: "FinishedPost" },
    },
  },
};

/** Older schemas: no location indicator, no boot progress, the LED instead. */
export const hpeIlo5: Profile = {
  ...hpeIlo6,
  name: "hpe-ilo5",
  product: "ProLiant DL380 Gen10",
  models: ["ProLiant DL380 Gen10", "ProLiant DL360 Gen10"],
  managerModel: "iLO 5",
  redfishVersion: "1.6.0",
  versions: {
    ServiceRoot: "v1_5_1",
    ComputerSystem: "v1_10_0",
    Manager: "v1_5_1",
    Chassis: "v1_10_2",
    Drive: "v1_3_0",
  },
  messages: { registry: "iLO", version: "2.20" },
  indicator: "led",
  bios: hpeIlo6.bios && { ...hpeIlo6.bios, registry: "BiosAttributeRegistryU30.v1_1_54" },
  update: {
    ...hpeIlo6.update,
    multipart: false,
    firmware: ({ bios, bmc }) =>
      usualFirmware({ id: "2", name: "System ROM", version: bios }, { id: "1", name: "iLO 5", version: bmc }),
    biosVersions: ["U30 v2.84", "U30 v3.10"],
    bmcVersions: ["iLO 5 v2.98", "iLO 5 v3.04"],
  },
  sensors: { legacy: true, modern: false },
  latency: { medianMs: 380, spread: 0.4, slow: { FirmwareInventory: 2 } },
  oem: {
    ServiceRoot: { Hpe: { "@odata.type": "#HpeiLOServiceExt.v2_3_0.HpeiLOServiceExt", Moniker: { PRODGEN: "iLO 5" } } },
    ComputerSystem: {
      Hpe: { "@odata.type": "#HpeComputerSystemExt.v2_10_0.HpeComputerSystemExt", PostState: "FinishedPost" },
    },
  },
};
