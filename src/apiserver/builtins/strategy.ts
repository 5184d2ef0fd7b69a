/** The behaviour most built-in kinds share; each kind states only how it differs. */
import type { KubeObject } from "#kinds";
import type { Decoded } from "../decode/index.ts";
import { type FieldError, invalid } from "../field-error.ts";
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
    warnings: () => [],
    createsOnUpdate: false,
    overwritesUnconditionally: true,
    ...own,
    validate: (object, old, context) => [...finalizerErrors(object), ...(own.validate?.(object, old, context) ?? [])],
  };
}

const STANDARD: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);
const STRICT_GROUPS: ReadonlySet<string> = new Set(["v1", "rbac.authorization.k8s.io/v1"]);

/** Kinds of the oldest groups take only finalizers that are qualified by a domain. */
function finalizerErrors({ apiVersion, metadata }: KubeObject): FieldError[] {
  if (!STRICT_GROUPS.has(apiVersion)) return [];
  const problem = "name is neither a standard finalizer name nor is it fully qualified";
  return (metadata.finalizers ?? []).flatMap((name, i) =>
    name.includes("/") || STANDARD.has(name) ? [] : [invalid(`metadata.finalizers[${i}]`, name, problem)],
  );
}

function decode(object: KubeObject): Decoded<KubeObject> {
  const decoded = decodeBuiltin(object as unknown as JsonObject, object.apiVersion, object.kind);
  return (decoded ?? { value: object, strictErrors: [] }) as unknown as Decoded<KubeObject>;
}

/** The fields of an object beside metadata, for kinds whose shape the code knows. */
export function fieldsOf<T>(object: KubeObject): T {
  return object as unknown as T;
}
