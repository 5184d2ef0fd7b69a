/** Lenovo XClarity Controller. */
import type { Quirk } from "./row.ts";

const applies = { manufacturer: /^lenovo/i };

export const lenovo: readonly Quirk[] = [
  {
    id: "lenovo-strong-if-match",
    applies,
    because: "XCC gives weak ETags and refuses them in If-Match (ansible community.general#11270)",
    effect: { strongIfMatch: true },
  },
  {
    id: "lenovo-boot-override-sticks",
    applies,
    because: "machines went on booting from the network after a one-time override (nico#530)",
    effect: { bootOverrideSticks: true },
  },
  {
    id: "lenovo-media-by-patch",
    applies,
    because: "XCC mounts by PATCH; its insert and eject actions fail or are missing (gofish#530)",
    effect: { mediaByPatch: true },
  },
  {
    id: "lenovo-media-slots",
    applies,
    because: "only the EXT drives take an image from an address; RDOC and Remote fail (python-redfish-lenovo#21)",
    effect: { mediaSlots: /^EXT/i },
  },
  {
    id: "lenovo-manager-settings-by-address",
    applies,
    because: "there are no manager attributes; settings are properties of resources, named by method and address",
    effect: { managerAttributes: "uri" },
  },
  {
    id: "lenovo-task-in-body",
    applies,
    because: "the answer to an update is the task itself; its Location does not always lead to it",
    effect: { taskIn: ["id"] },
  },
  {
    id: "lenovo-task-hands-to-job",
    applies,
    because: "the task completes at once with OperationTransitionedToJob, and the job does the work",
    effect: { taskHandsToJob: true },
  },
  {
    id: "lenovo-staged-firmware",
    applies,
    because: "a staged image is an inventory entry whose Id ends with -PENDING, in no special state",
    effect: {
      stagedFirmware: { by: "Id", bmc: /Firmware:BMC/i, bios: /Firmware:UEFI|BIOS/i, stagedId: /-PENDING/i },
    },
  },
  {
    id: "lenovo-password-characters",
    applies,
    because: "XCC takes only these special characters",
    effect: { passwordSpecials: ";@!$%-+=[]{}|/?~_" },
  },
];
