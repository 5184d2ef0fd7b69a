export { type Fault, type FaultKind, faultKinds } from "./faults/fault.ts";
export { parseScript, type ScriptStep } from "./faults/script.ts";
export {
  type Fleet,
  type FleetControl,
  type SimulatedBmc,
  type SimulatedSystem,
  startFleet,
  type Watcher,
} from "./fleet.ts";
export { type ManifestOptions, manifestsOf } from "./manifests.ts";
export type { FleetOptions } from "./options.ts";
export { type ProfileName, profileNames } from "./profiles/profile.ts";
