/** Supermicro, X10 to H13. */
import type { Quirk } from "./row.ts";

const applies = { manufacturer: /^supermicro|^super micro/i };

export const supermicro: readonly Quirk[] = [
  {
    id: "supermicro-boot-mode-always",
    applies,
    because: "an override without BootSourceOverrideMode falls back to Legacy even where UEFI is set",
    effect: { bootMode: "whenReported" },
  },
  {
    id: "supermicro-x10-no-boot-mode",
    applies: { ...applies, model: /X10/i },
    because: "X10 boards have no BootSourceOverrideMode and refuse an override that names it (metal-operator#982)",
    effect: { bootMode: "never" },
  },
  {
    id: "supermicro-boot-order-drifts",
    applies,
    because: "the hard disk's boot option is dropped after about one in three network installs (libredfish#13)",
    effect: { bootOrderDrifts: true },
  },
  {
    id: "supermicro-media-image-only",
    applies,
    because: "InsertMedia refuses Inserted and WriteProtected (ansible community.general#4839)",
    effect: { mediaImageOnly: true },
  },
  {
    id: "supermicro-media-name-lingers",
    applies,
    because:
      "Image stays after an eject; only ConnectedVia NotConnected says that the drive is empty (community.general#6969)",
    effect: { mediaNameLingers: true },
  },
];
