/** The behaviour most built-in kinds share; each kind states only how it differs. */
import type { KubeObject } from "#kinds";
import { badRequest } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import { cannotBeHandled } from "../rest/body.ts";
import { subdomainName } from "../rest/names.ts";
import type { Strategy } from "../rest/resource.ts";
import { pruneTyped, TypeMismatch } from "./typed-fields.ts";

/** A strategy with upstream's defaults for a kind whose definition has this name. */
export function builtInStrategy(definition: string, own: Partial<Strategy> = {}): Strategy {
  return {
    prune: (object) => prune(object, definition),
    applyDefaults: () => {},
    prepareForCreate: () => {},
    prepareForUpdate: () => {},
    validateName: subdomainName,
    validate: () => [],
    warnings: () => [],
    createsOnUpdate: false,
    overwritesUnconditionally: true,
    ...own,
  };
}

function prune(object: KubeObject, definition: string): string[] {
  try {
    return pruneTyped(object as unknown as JsonObject, definition);
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    throw badRequest(cannotBeHandled(object, { kind: object.kind }, error.message));
  }
}

/** The fields of an object beside metadata, for kinds whose shape the code knows. */
export function fieldsOf<T>(object: KubeObject): T {
  return object as unknown as T;
}
