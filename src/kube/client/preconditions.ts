/** Finds out whether a write carries a precondition, which is what makes repeating it safe. Pure. */
import type { DeleteOptions, Patch } from "./client.ts";
import { ApiError } from "./errors.ts";
import type { Repeatability } from "./retry-policy.ts";

export function repeatabilityOfPatch(patch: Patch): Repeatability {
  return carriesResourceVersion(patch) ? "precondition" : "never";
}

export function repeatabilityOfDelete({ preconditions }: DeleteOptions): Repeatability {
  return preconditions?.uid || preconditions?.resourceVersion ? "precondition" : "never";
}

/** After a lost answer, proof that the object with the uid asked for is gone: nothing there, or something else. */
export function isGoneByUid({ preconditions }: DeleteOptions): ((error: unknown) => boolean) | undefined {
  if (!preconditions?.uid || preconditions.resourceVersion) return undefined;
  return (error) =>
    error instanceof ApiError &&
    ((error.reason === "NotFound" && error.status.details?.name !== undefined) || error.reason === "Conflict");
}

function carriesResourceVersion(patch: Patch): boolean {
  if (patch.type === "json")
    return patch.operations.some(
      (operation) => operation.op === "test" && operation.path === "/metadata/resourceVersion",
    );
  const { metadata } = (patch.body ?? {}) as { metadata?: { resourceVersion?: unknown } };
  return typeof metadata?.resourceVersion === "string" && metadata.resourceVersion !== "";
}
