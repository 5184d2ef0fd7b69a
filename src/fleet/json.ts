/** The shape of what travels in Redfish bodies. Decoding only; owns no wire words. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A member that is undefined is left out of the text. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Merges `patch` into `base`, object by object; arrays and scalars are replaced. */
export function merge(base: JsonObject, patch: JsonObject): JsonObject {
  const merged: Record<string, Json | undefined> = { ...base };
  for (const [name, value] of Object.entries(patch)) {
    const old = merged[name];
    merged[name] = isObject(value) && isObject(old) ? merge(old, value) : value;
  }
  return merged;
}
