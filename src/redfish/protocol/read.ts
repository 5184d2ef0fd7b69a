/**
 * Tolerant reading of what a BMC says. A property that is missing, null or of an odd type reads as undefined
 * ("not reported"): one strange firmware must not hide the rest of an inventory.
 */

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readRecord(from: unknown, name: string): Json | undefined {
  const value = isRecord(from) ? from[name] : undefined;
  return isRecord(value) ? value : undefined;
}

export function readArray(from: unknown, name: string): readonly unknown[] {
  const value = isRecord(from) ? from[name] : undefined;
  return Array.isArray(value) ? value : [];
}

export function readRecords(from: unknown, name: string): readonly Json[] {
  return readArray(from, name).filter(isRecord);
}

export function readStrings(from: unknown, name: string): readonly string[] {
  return readArray(from, name).filter((value): value is string => typeof value === "string");
}

/** Text; a number where text belongs is taken as its digits. Empty text is "not reported". */
export function readString(from: unknown, name: string): string | undefined {
  const value = isRecord(from) ? from[name] : undefined;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "string") return undefined;
  return value === "" ? undefined : value;
}

/** A finite number; text that is entirely a number counts, because some firmware quotes its numbers. */
export function readNumber(from: unknown, name: string): number | undefined {
  const value = isRecord(from) ? from[name] : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : undefined;
}

export function readBoolean(from: unknown, name: string): boolean | undefined {
  const value = isRecord(from) ? from[name] : undefined;
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "True") return true;
  if (value === "false" || value === "False") return false;
  return undefined;
}

/** The `@odata.id` of a link property. */
export function readLink(from: unknown, name: string): string | undefined {
  return readString(readRecord(from, name), "@odata.id");
}

export function readLinks(from: unknown, name: string): readonly string[] {
  return readRecords(from, name)
    .map((entry) => readString(entry, "@odata.id"))
    .filter((id): id is string => id !== undefined);
}

/** Drops the properties that were not reported, so that a record says only what is known. */
export function reported<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
