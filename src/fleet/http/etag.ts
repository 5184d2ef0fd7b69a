/** Entity tags: a tag is the hash of what would be answered, so it changes exactly when the resource does. */
import type { JsonObject } from "../json.ts";
import type { Profile } from "../profiles/profile.ts";

/** Members that move by themselves and must not invalidate a tag between a read and a write. */
const restless = new Set(["DateTime", "ServiceRootUptimeSeconds", "Reading", "ReadingCelsius", "PowerConsumedWatts"]);

export function tagOf(body: JsonObject, text: string, profile: Profile): string | undefined {
  if (profile.etags.form === "none") return undefined;
  const stable =
    "DateTime" in body ? JSON.stringify(body, (name, value: unknown) => (restless.has(name) ? 0 : value)) : text;
  const mark = profile.etags.form === "weak" ? "W/" : "";
  return `${mark}"${hash(stable)}"`;
}

/** Whether If-Match lets the request through. */
export function matches(ifMatch: string, tag: string | undefined, profile: Profile): boolean {
  if (ifMatch.trim() === "*") return true;
  const wanted = profile.etags.accepts === "strong-only" ? tag?.replace(/^W\//, "") : tag;
  return ifMatch.split(",").some((one) => one.trim() === wanted);
}

function hash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x1000193;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 15);
  }
  return (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0");
}
