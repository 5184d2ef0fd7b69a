/** Annotation keys: compatibility surface, never renamed. */

/** One request to the controllers; its values are in `operations.ts`. */
export const operationAnnotation = "metal.ironcore.dev/operation";
/** On a Server: it is parked. Presence counts; we write `"true"`. */
export const parkedAnnotation = "metal.ironcore.dev/parked";
/** On a ServerBootConfiguration; the value {@link internalType} marks the one used for discovery. */
export const typeAnnotation = "metal.ironcore.dev/type";
export const internalType = "Internal";
/** On the discovery ServerBootConfiguration, `"true"`: its image is the default for unknown machines. */
export const defaultOsImageAnnotation = "metal.ironcore.dev/is-default-os-image";
/** On a ServerMaintenance: why, for people. */
export const maintenanceReasonAnnotation = "metal.ironcore.dev/maintenance-reason";
/** On a ServerMaintenance: why, as the `Reason` column shows it. */
export const reasonAnnotation = "metal.ironcore.dev/reason";

/** On a Server, `"true"`: the rule of this name was satisfied once and is not enforced again. */
export function bootstrapCompletedAnnotation(ruleName: string): string {
  return `readiness.metal.ironcore.dev/bootstrap-completed-${ruleName}`;
}
