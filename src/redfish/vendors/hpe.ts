/** HPE iLO 5 and iLO 6. */
import type { Quirk } from "./row.ts";

const applies = { manufacturer: /^(hpe|hewlett)/i };

export const hpe: readonly Quirk[] = [
  {
    id: "hpe-one-request-per-connection",
    applies: { ...applies, manager: /^iLO [1-6]\b/ },
    because: "before iLO 7 a kept connection mixes up answers under load; Connection: close is safe (nico#3220)",
    effect: { closeConnections: true },
  },
  {
    id: "hpe-same-state-conflict",
    applies,
    because: "a reset to the power state that already is answers 409",
    effect: { refusesSameState: true },
  },
  {
    id: "hpe-manager-reset-without-type",
    applies,
    because: "iLO advertises no reset types for the manager and refuses a ResetType",
    effect: { managerResetWithoutType: true },
  },
  {
    id: "hpe-boot-order-read-only",
    applies,
    because: "iLO shows BootOrder and refuses it when written (metal-operator#606)",
    effect: { bootOrderReadOnly: true },
  },
  {
    id: "hpe-bios-always-resets",
    applies,
    because: "iLO never says that a BIOS change needs a restart, and each one does (metal-operator#544)",
    effect: { biosAlwaysResets: true },
  },
  {
    id: "hpe-manager-settings-by-address",
    applies,
    because: "there are no manager attributes; settings are properties of resources, named by method and address",
    effect: { managerAttributes: "uri" },
  },
  {
    id: "hpe-task-monitor-in-body",
    applies,
    because: "the answer to an update names its monitor in the body; Location is there only sometimes",
    effect: { taskIn: ["taskMonitor", "location"] },
  },
  {
    id: "hpe-task-ends-as-error",
    applies,
    because: "a finished task monitor answers with the shape of an error whose message says Success",
    effect: { taskEndsAsError: true },
  },
  {
    id: "hpe-staged-firmware",
    applies,
    because: "inventory entries have numbers for Ids, so components are told apart by Name; a staged image is Staged",
    effect: { stagedFirmware: { by: "Name", bmc: /iLO/i, bios: /System ROM/i, stagedState: "Staged" } },
  },
  {
    id: "hpe-password-characters",
    applies,
    because: "iLO takes only these special characters",
    effect: { passwordSpecials: "~`!@#$%^&*()_-+={[}]|.?/" },
  },
  {
    id: "hpe-no-delivery-retry-policy",
    applies,
    because: "iLO's event service refuses a subscription that names a DeliveryRetryPolicy",
    effect: { noDeliveryRetryPolicy: true },
  },
  {
    id: "hpe-duplicate-subscription",
    applies,
    because: "iLO says PropertyValueModified of other things too; only ResourceAlreadyExists means a duplicate",
    effect: { duplicateSubscription: ["ResourceAlreadyExists"] },
  },
];
