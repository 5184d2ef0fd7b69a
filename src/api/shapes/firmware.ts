/** What BIOS and BMC firmware upgrades share: the image, the task on the BMC, the template of a set, the status. */
import { Type } from "#kinds";
import { VersionState } from "../names/states.ts";
import { maintenancePolicy, retryPolicy } from "./maintenance.ts";

const image = Type.object("Where the BMC fetches the firmware from.", {
  URI: Type.string("Address of the firmware image, reachable from the BMC."),
  transferProtocol: Type.optional(
    Type.string("Redfish transfer protocol, for example HTTPS; absent lets the BMC decide."),
  ),
  secretRef: Type.optional(
    Type.secretReference("Secret with username and password for the address; absent fetches anonymously."),
  ),
});

const task = Type.object("The upgrade task on the BMC.", {
  URI: Type.optional(Type.string("Redfish address of the task.")),
  state: Type.optional(Type.string("Redfish TaskState, for example Running or Completed.")),
  status: Type.optional(Type.string("Redfish health of the task, for example OK.")),
  percentageComplete: Type.optional(Type.integer("How far the BMC says it is, in percent.")),
});

/** The part of a version's spec that a set repeats in its template. */
export const versionTemplate = {
  version: Type.string("Firmware version to reach, spelled as the hardware reports it."),
  image,
  updatePolicy: Type.optional(
    Type.word("Force asks the BMC to skip its own version checks; anything else does not.", ["Force"]),
  ),
  serverMaintenancePolicy: maintenancePolicy,
  retryPolicy,
};

/** The status of one upgrade. */
export const versionStatus = Type.object("How far the upgrade is.", {
  state: Type.optional(
    Type.word("Where the upgrade stands; empty before the first look.", Object.values(VersionState)),
  ),
  upgradeTask: Type.optional(task),
  failedAttempts: Type.optional(Type.integer("Automatic retries used up since the last change of the spec.")),
  observedGeneration: Type.optional(Type.integer("Generation of the spec this status is about.", { format: "int64" })),
  conditions: Type.optional(Type.conditions("The steps of the upgrade: maintenance, reset, task, verification.")),
});
