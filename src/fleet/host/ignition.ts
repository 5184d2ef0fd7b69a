/** What a machine should do with the Ignition it was given. Reads only; runs nothing. */
import { isObject, type Json } from "../json.ts";

export type Role =
  | { readonly role: "probe"; readonly registryUrl: string; readonly uuid: string }
  | {
      readonly role: "wipe";
      readonly reportUrl: string;
      readonly uuid: string;
      readonly method: "quick" | "secure";
      readonly token?: string;
    }
  | { readonly role: "os"; readonly registryUrl: string | undefined };

/** Looks through every unit and file for the commands we know: the probe, the wipe agent; anything else is somebody's system. */
export function roleOf(ignition: string | undefined, commandLine: string): Role {
  const text = `${commandLine}\n${ignition === undefined ? "" : textsIn(ignition).join("\n")}`;
  const registryUrl = flagIn(text, "registry-url");
  const uuid = flagIn(text, "server-uuid");
  const wipe = /\bwipe\b/.test(text) && uuid ? wipeRole(text, uuid, registryUrl) : undefined;
  if (wipe) return wipe;
  if (/probe/.test(text) && registryUrl && uuid) return { role: "probe", registryUrl, uuid };
  const bootState = /(https?:\/\/[^\s"']+)\/bootstate/.exec(text)?.[1];
  return { role: "os", registryUrl: bootState ?? registryUrl };
}

function wipeRole(text: string, uuid: string, registryUrl: string | undefined): Role | undefined {
  const reportUrl = flagIn(text, "report-url") ?? (registryUrl && `${registryUrl.replace(/\/$/, "")}/wiped`);
  if (!reportUrl) return undefined;
  const token = flagIn(text, "token");
  const method = flagIn(text, "method") === "secure" ? "secure" : "quick";
  return { role: "wipe", reportUrl, uuid, method, ...(token ? { token } : {}) };
}

function flagIn(text: string, name: string): string | undefined {
  return new RegExp(`--${name}[= ]["']?([^\\s"']+)`).exec(text)?.[1];
}

function textsIn(ignition: string): string[] {
  try {
    return collect(JSON.parse(ignition) as Json);
  } catch {
    return [ignition];
  }
}

function collect(value: Json | undefined): string[] {
  if (typeof value === "string") return [value.startsWith("data:") ? decodeDataUrl(value) : value];
  if (Array.isArray(value)) return value.flatMap(collect);
  return isObject(value) ? Object.values(value).flatMap(collect) : [];
}

function decodeDataUrl(url: string): string {
  const comma = url.indexOf(",");
  const data = url.slice(comma + 1);
  return url.slice(0, comma).endsWith(";base64")
    ? Buffer.from(data, "base64").toString("utf8")
    : decodeURIComponent(data);
}
