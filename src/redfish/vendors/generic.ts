/** Everybody else: what emulators, reference trees and single models want. */
import type { Quirk } from "./row.ts";

/** The reference tree that metal-operator's own test server serves. */
const referenceTree = { manufacturer: /^contoso$/i };

export const generic: readonly Quirk[] = [
  {
    id: "contoso-no-expand",
    applies: referenceTree,
    because: "the reference tree's root advertises $expand, and its servers do not know it",
    effect: { noExpand: true },
  },
  {
    id: "contoso-manager-attributes",
    applies: referenceTree,
    because: "manager attributes are in the manager itself, with a registry called BMCAttributeRegistry",
    effect: { managerAttributes: "manager" },
  },
  {
    id: "contoso-update-targets",
    applies: referenceTree,
    because: "an update without a target changes nothing",
    effect: {
      updateTargets: {
        BIOS: "/redfish/v1/UpdateService/FirmwareInventory/BIOS",
        BMC: "/redfish/v1/UpdateService/FirmwareInventory/BMC",
      },
    },
  },
  {
    id: "sushy-override-shown-continuous",
    applies: { manufacturer: /^sushy emulator/i },
    because: "sushy-tools keeps the target of an override and shows Continuous whatever was asked for",
    effect: { bootOverrideShownContinuous: true },
  },
  {
    id: "dgx-slow-firmware-inventory",
    applies: { manufacturer: /nvidia/i, model: /DGX/i },
    because: "the firmware inventory of a DGX H100 takes two to three minutes (nico#1584)",
    effect: { slowReads: [{ path: /\/FirmwareInventory/, timeoutMs: 240_000 }] },
  },
];
