/** OpenBMC's bmcweb, as many makers ship it. */
import type { Quirk } from "./row.ts";

const applies = { manager: /openbmc/i };

export const openbmc: readonly Quirk[] = [
  {
    id: "openbmc-staged-firmware",
    applies,
    because: "an image that waits for its activation is an inventory entry in state StandbySpare",
    effect: { stagedFirmware: { by: "Id", bmc: /^bmc/i, bios: /^bios/i, stagedState: "StandbySpare" } },
  },
];
