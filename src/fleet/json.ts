/** The shape of what travels in Redfish bodies. Decoding only; owns no wire words. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A member that is undefined is left out of the text. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Merges `patch` into `base` as Redfish has it: objects by member, arrays by position, scalars replaced. */
export function merge(base: JsonObject, patch: JsonObject): JsonObject {
  const merged: Record<string, Json | undefined> = { ...base };
  for (const [name, value] of Object.entries(patch)) merged[name] = mergeValue(merged[name], value);
  return merged;
}

function mergeValue(old: Json | undefined, value: Json | undefined): Json | undefined {
  if (isObject(value)) return isObject(old) ? merge(old, value) : value;
  return Array.isArray(value) ? mergeArray(Array.isArray(old) ? old : [], value) : value;
}

/** In an array `{}` leaves the element that stands there as it is, and null takes it out. */
function mergeArray(old: readonly Json[], patch: readonly Json[]): readonly Json[] {
  return patch.flatMap((value, at): readonly Json[] => {
    if (value === null) return [];
    if (!isObject(value)) return [value];
    const before = old[at];
    if (Object.keys(value).length === 0) return before === undefined ? [] : [before];
    return [isObject(before) ? merge(before, value) : value];
  });
}
