/** A plain service as emulators offer it: basic auth only, no events, no queries, no ETags. */
import { usualAttributes } from "./attributes.ts";
import { openbmc, usualFirmware } from "./openbmc.ts";
import type { Profile } from "./profile.ts";

const numbered = (n: number): string => String(n);

export const generic: Profile = {
  ...openbmc,
  name: "generic",
  multiSystem: false,
  manufacturer: "Contoso",
  vendor: "Contoso",
  product: "Contoso 3500",
  models: ["3500", "3520"],
  managerModel: "Joo Janta 200",
  redfishVersion: "1.6.0",
  username: "admin",
  macPrefix: "02:c0:50",
  names: {
    system: numbered,
    chassis: numbered,
    manager: "BMC",
    processor: (n) => `CPU${n}`,
    memory: (n) => `DIMM${n}`,
    storage: "1",
    drive: numbered,
    ethernet: numbered,
    virtualMedia: ["CD1", "USB1"],
  },
  versions: { ServiceRoot: "v1_5_2", ComputerSystem: "v1_10_0", Chassis: "v1_11_0", Manager: "v1_7_0" },
  messages: { registry: "Base", version: "1.8.1" },
  etags: { form: "none", accepts: "given", refusedOnActions: "none" },
  expand: undefined,
  select: false,
  sessions: undefined,
  power: { ...openbmc.power, status: 202, listsValues: true, transitional: false },
  indicator: "led",
  bios: {
    settings: "Settings",
    registry: "BiosAttributeRegistry.v1_0_0",
    attributes: usualAttributes({
      bootMode: "BootMode",
      hyperthreading: "ProcHyperthreading",
      profile: "PowerProfile",
      turbo: "ProcTurboMode",
      usb: "UsbControl",
      cores: "MaxCores",
      phone: "AdminPhone",
      virtualization: "ProcVirtualization",
      secureBoot: "SecureBoot",
      httpBoot: "HttpBoot",
    }),
    mirrorsCurrent: false,
    statesReset: true,
    makesJob: false,
  },
  update: {
    ...openbmc.update,
    push: false,
    multipart: false,
    firmware: ({ bios, bmc }) =>
      usualFirmware({ id: "BIOS", name: "BIOS", version: bios }, { id: "BMC", name: "BMC", version: bmc }),
    staged: () => ({ id: "BIOS-Staged", state: "StandbySpare" }),
    biosVersions: ["P79 v1.45", "P79 v1.50"],
    bmcVersions: ["1.45.455", "1.50.100"],
  },
  sensors: { legacy: true, modern: false },
  events: undefined,
  secureErase: false,
  latency: { medianMs: 90, spread: 0.2, slow: {} },
};
