/** Dell iDRAC 9 and 10. */
import type { Quirk } from "./row.ts";

const applies = { manufacturer: /^dell/i };

export const dell: readonly Quirk[] = [
  {
    id: "dell-boot-override-in-settings",
    applies,
    because: "iDRAC 9 ignores a one-time boot override that is not written to the settings object (metal-operator#80)",
    effect: { bootOverrideInSettings: true },
  },
  {
    id: "dell-same-state-conflict",
    applies,
    because: "a reset to the power state that already is answers 409",
    effect: { refusesSameState: true },
  },
  {
    id: "dell-stalled-jobs",
    applies,
    because: "lifecycle jobs stall, and only a reset of the iDRAC moves them again (metal-operator#453)",
    effect: { stalledJobNeedsManagerReset: true },
  },
  {
    id: "dell-one-bios-job",
    applies,
    because:
      "a BIOS change makes a job, and a second change is refused while it waits for its restart (metal-operator#97)",
    effect: { biosOneJobAtATime: true },
  },
  {
    id: "dell-media-eject-first",
    applies,
    because: "inserting into a drive that holds a medium answers 500 (dell/terraform-provider-redfish#331)",
    effect: { mediaEjectFirst: true },
  },
  {
    id: "dell-manager-attributes",
    applies,
    because: "manager attributes are in the resources of Links.Oem.Dell.DellAttributes, each with its settings object",
    effect: { managerAttributes: "dell" },
  },
  {
    id: "dell-display-names",
    applies,
    because: "enumerated manager attributes are reported by display name and written by value name",
    effect: { managerAttributesShowDisplayNames: true },
  },
  {
    id: "dell-attributes-beside-the-registry",
    applies,
    because: "these attributes are taken although the manager's registry does not list them",
    effect: {
      extraManagerAttributes: [
        { name: "SysLog.1.SysLogEnable", type: "Boolean", resetRequired: true },
        { name: "SysLog.1.SysLogServer1", type: "String", resetRequired: false },
        { name: "SysLog.1.SysLogServer2", type: "String", resetRequired: false },
        { name: "NTPConfigGroup.1.NTPEnable", type: "Boolean", resetRequired: true },
        { name: "NTPConfigGroup.1.NTP1", type: "String", resetRequired: true },
        { name: "NTPConfigGroup.1.NTP2", type: "String", resetRequired: true },
        { name: "EmailAlert.1.Enable", type: "Boolean", resetRequired: false },
        { name: "EmailAlert.1.Address", type: "String", resetRequired: false },
        { name: "SNMP.1.AgentEnable", type: "Boolean", resetRequired: true },
        { name: "SNMP.1.AgentCommunity", type: "String", resetRequired: true },
      ],
    },
  },
  {
    id: "dell-unsaid-reset-means-none",
    applies,
    because: "a manager attribute whose registry entry lacks ResetRequired takes effect at once",
    effect: { managerResetUnsaidMeansNo: true },
  },
  {
    id: "dell-readonly-spelling",
    applies,
    because: "the manager's attribute registry spells ReadOnly as Readonly",
    effect: { readOnlyProperty: "Readonly" },
  },
  {
    id: "dell-update-now",
    applies,
    because: "an update without an apply time may wait for a restart nobody asked for",
    effect: { updateApplyTime: "Immediate" },
  },
  {
    id: "dell-task-location",
    applies,
    because: "the task is in Location, in the body's own address, or in its Task link, depending on the firmware",
    effect: { taskIn: ["location", "id", "task"] },
  },
  {
    id: "dell-staged-firmware",
    applies,
    because: "a staged image is an inventory entry in state Staged; components are told apart by Id",
    effect: { stagedFirmware: { by: "Id", bmc: /iDRAC/i, bios: /BIOS/i, stagedState: "Staged" } },
  },
  {
    id: "dell-account-change-with-password",
    applies,
    because: "iDRAC refuses a change of role without the password in the same request",
    effect: { accountChangeNeedsPassword: true },
  },
  {
    id: "dell-password-characters",
    applies,
    because: "iDRAC takes only these special characters",
    effect: { passwordSpecials: "!#$%&()*.?-@[]^_`{}|~+=" },
  },
];
