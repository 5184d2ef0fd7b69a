/** The behaviour most built-in kinds share; each kind states only how it differs. */
import type { KubeObject } from "#kinds";
import type { Decoded } from "../decode/index.ts";
import type { JsonObject } from "../json.ts";
import { subdomainName } from "../rest/names.ts";
import type { Strategy } from "../rest/resource.ts";
import { decodeBuiltin } from "./go-decode.ts";

/** A strategy with upstream's defaults. */
export function builtInStrategy(own: Partial<Strategy> = {}): Strategy {
  return {
    decode,
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

function decode(object: KubeObject): Decoded<KubeObject> {
  const decoded = decodeBuiltin(object as unknown as JsonObject, object.apiVersion, object.kind);
  return (decoded ?? { value: object, strictErrors: [] }) as unknown as Decoded<KubeObject>;
}

/** The fields of an object beside metadata, for kinds whose shape the code knows. */
export function fieldsOf<T>(object: KubeObject): T {
  return object as unknown as T;
}
