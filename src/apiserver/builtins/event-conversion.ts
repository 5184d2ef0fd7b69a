/** Events have two names, core/v1 and events.k8s.io/v1, for the same stored objects; this renames the fields. */
import type { KubeObject } from "#kinds";
import type { Conversion } from "../rest/resource.ts";

/** events.k8s.io name → core name. */
const RENAMED: readonly (readonly [string, string])[] = [
  ["regarding", "involvedObject"],
  ["note", "message"],
  ["reportingController", "reportingComponent"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
];
const TO_CORE: ReadonlyMap<string, string> = new Map(RENAMED);
const FROM_CORE: ReadonlyMap<string, string> = new Map(RENAMED.map(([a, b]) => [b, a]));

function rename(object: KubeObject, names: ReadonlyMap<string, string>, apiVersion: string): KubeObject {
  const entries = Object.entries(object).map(([key, value]) => [names.get(key) ?? key, value]);
  return { ...Object.fromEntries(entries), apiVersion };
}

/** Converts events.k8s.io/v1 objects to and from their stored core form. */
export const eventConversion: Conversion = {
  toStored: (object) => rename(object, TO_CORE, "v1"),
  fromStored: (object) => rename(object, FROM_CORE, "events.k8s.io/v1"),
};
