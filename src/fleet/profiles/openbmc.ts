/** OpenBMC (bmcweb): the youngest and most regular of the profiles; the others say where they differ. */
import type { FirmwareEntry, Profile } from "./profile.ts";

const numbered = (base: string, n: number, of: number): string => (of > 1 ? `${base}${n}` : base);

/** Twenty entries and more: the two that matter, and what else a server carries. */
export function usualFirmware(
  bios: Pick<FirmwareEntry, "id" | "name" | "version">,
  bmc: Pick<FirmwareEntry, "id" | "name" | "version">,
): readonly FirmwareEntry[] {
  const part = (id: string, name: string, version: string): FirmwareEntry => ({
    id,
    name,
    version,
    updateable: true,
    component: "other",
  });
  const each = (count: number, make: (n: number) => FirmwareEntry): FirmwareEntry[] =>
    Array.from({ length: count }, (_, at) => make(at + 1));
  return [
    { ...bios, updateable: true, component: "BIOS" },
    { ...bmc, updateable: true, component: "BMC" },
    part("CPLD.1", "Mainboard CPLD", "1.0.6"),
    part("TPM.1", "Trusted Platform Module", "7.2.2.0"),
    part("StorageController.1", "Storage Controller", "52.16.1-4405"),
    part("Backplane.1", "Drive Backplane", "4.36"),
    ...each(4, (n) => part(`NIC.${n}`, `Network Adapter ${n}`, "22.36.10.10")),
    ...each(8, (n) => part(`Drive.${n}`, `Drive ${n}`, "1.0.4")),
    ...each(2, (n) => part(`PSU.${n}`, `Power Supply ${n}`, "00.1B.53")),
  ];
}

export const openbmc: Profile = {
  name: "openbmc",
  manufacturer: "OpenBMC",
  vendor: "OpenBMC",
  product: "OpenBMC",
  models: ["Yosemite V3", "Tioga Pass", "Delta Lake"],
  managerModel: "OpenBmc",
  redfishVersion: "1.17.0",
  username: "root",
  password: "0penBmc",
  macPrefix: "b4:a3:82",
  trailingSlash: false,
  names: {
    system: (n, of) => numbered("system", n, of),
    chassis: (n, of) => numbered("chassis", n, of),
    manager: "bmc",
    processor: (n) => `cpu${n - 1}`,
    memory: (n) => `dimm${n - 1}`,
    storage: "1",
    drive: (n) => `nvme${n - 1}`,
    ethernet: (n) => `eth${n - 1}`,
    virtualMedia: ["Slot_0", "Slot_1"],
  },
  versions: {},
  messages: { registry: "Base", version: "1.18.1" },
  etags: { form: "strong", accepts: "given", refusedOnActions: "none" },
  writeStatus: 204,
  expand: { maxLevels: 6 },
  select: true,
  sessions: { slots: 64, full: { status: 503, message: "SessionLimitExceeded" } },
  accounts: { slots: 15, create: "post" },
  power: {
    resetTypes: [
      "On",
      "ForceOff",
      "ForceOn",
      "ForceRestart",
      "GracefulRestart",
      "GracefulShutdown",
      "PowerCycle",
      "Nmi",
    ],
    status: 204,
    refusesSameState: false,
    listsValues: false,
    transitional: true,
  },
  multiSystem: true,
  managerReset: { types: ["GracefulRestart", "ForceRestart"], defaultType: "GracefulRestart" },
  boot: {
    targets: ["None", "Pxe", "Hdd", "Cd", "Diags", "BiosSetup", "Usb", "UefiHttp"],
    reportsMode: true,
    order: "writable",
    settingsObject: false,
  },
  indicator: "location",
  bios: undefined,
  managerAttributes: undefined,
  update: {
    simple: true,
    push: true,
    multipart: true,
    locates: "monitor",
    taskIn: "location",
    taskIds: "number",
    handsToJob: false,
    monitorEndsAsError: false,
    firmware: ({ bios, bmc }) =>
      usualFirmware(
        { id: "bios_active", name: "BIOS image", version: bios },
        { id: "bmc_active", name: "BMC image", version: bmc },
      ),
    staged: () => ({ id: "bios_staged", state: "StandbySpare" }),
    biosVersions: ["F20A_3A15", "YMM3.22.4"],
    bmcVersions: ["2.14.0-dev", "2.16.0", "2.18.0"],
  },
  virtualMedia: { under: "manager", refusesSecondInsert: false },
  sensors: { legacy: false, modern: true },
  events: { sse: true, retryPolicy: true, originAsText: false, slots: 20 },
  secureErase: true,
  closesConnection: false,
  latency: { medianMs: 180, spread: 0.4, slow: { Sensors: 2, FirmwareInventory: 2 } },
  oem: {},
};
