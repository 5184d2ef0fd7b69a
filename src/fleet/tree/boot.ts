/** The Boot member of a system: what it shows and what may be written, vendor by vendor. */

import type { BootOverride } from "../host/boot-settings.ts";
import { bootOptions } from "../host/boot-settings.ts";
import type { Host } from "../host/host.ts";
import type { Saying } from "../http/messages.ts";
import { below, type Place } from "../http/place.ts";
import { type Reply, refuse, refuseAll } from "../http/reply.ts";
import type { JsonObject } from "../json.ts";
import { since } from "../profiles/profile.ts";

export function bootBody(at: Place, { override, bootOrder }: Host): JsonObject {
  const { profile } = at;
  const order = since(profile, "ComputerSystem", 5);
  return {
    BootSourceOverrideEnabled: override.enabled,
    BootSourceOverrideTarget: override.target,
    "BootSourceOverrideTarget@Redfish.AllowableValues": profile.boot.targets,
    BootSourceOverrideMode: profile.boot.reportsMode ? override.mode : undefined,
    "BootSourceOverrideMode@Redfish.AllowableValues": profile.boot.reportsMode ? ["UEFI", "Legacy"] : undefined,
    HttpBootUri:
      since(profile, "ComputerSystem", 9) && profile.boot.targets.includes("UefiHttp")
        ? (override.httpUri ?? null)
        : undefined,
    BootOrder: order ? bootOrder : undefined,
    BootOptions: order ? below({ ...at, path: hostPath(at) }, "BootOptions") : undefined,
  };
}

/** The settings object shows the same Boot member from one level deeper. */
function hostPath({ path }: Place): string {
  return path.split("/").slice(0, 5).join("/");
}

/** Takes a Boot PATCH in full, or says why not. */
export function writeBoot(at: Place, host: Host, boot: JsonObject): Reply | undefined {
  const wrong = Object.entries(boot).flatMap(([name, value]) => problem(at, name, value));
  if (wrong.length > 0) return refuseAll(400, wrong);
  const order = boot.BootOrder;
  if (order !== undefined && at.profile.boot.order === "refused")
    return refuse(400, "PropertyNotWritable", "BootOrder");
  const uefiOnly =
    boot.BootSourceOverrideTarget === "UefiHttp" && (boot.BootSourceOverrideMode ?? host.override.mode) === "Legacy";
  if (uefiOnly) return refuse(400, "PropertyValueConflict", "BootSourceOverrideTarget", "BootSourceOverrideMode");
  if (Array.isArray(order)) host.bootOrder = order as string[];
  host.override = {
    enabled: (boot.BootSourceOverrideEnabled ?? impliedEnabled(host.override, boot)) as BootOverride["enabled"],
    target: (boot.BootSourceOverrideTarget ?? host.override.target) as string,
    mode: (boot.BootSourceOverrideMode ?? host.override.mode) as BootOverride["mode"],
    httpUri: ("HttpBootUri" in boot ? (boot.HttpBootUri ?? undefined) : host.override.httpUri) as string | undefined,
  };
  return undefined;
}

/** A target without a word on how long it lasts counts once, as most firmware has it. */
function impliedEnabled(current: BootOverride, boot: JsonObject): BootOverride["enabled"] {
  const target = boot.BootSourceOverrideTarget;
  if (target === undefined) return current.enabled;
  return target === "None" ? "Disabled" : "Once";
}

function problem(at: Place, name: string, value: unknown): Saying[] {
  const about = [`#/Boot/${name}`];
  const outside = (allowed: readonly string[]): Saying[] =>
    typeof value === "string" && allowed.includes(value)
      ? []
      : [{ key: "PropertyValueNotInList", args: [String(value), name], about }];
  switch (name) {
    case "BootSourceOverrideEnabled":
      return outside(["Disabled", "Once", "Continuous"]);
    case "BootSourceOverrideTarget":
      return outside(at.profile.boot.targets);
    case "BootSourceOverrideMode":
      return at.profile.boot.reportsMode
        ? outside(["UEFI", "Legacy"])
        : [{ key: "PropertyUnknown", args: [name], about }];
    case "HttpBootUri":
      return value === null || typeof value === "string"
        ? []
        : [{ key: "PropertyValueTypeError", args: [String(value), name], about }];
    case "BootOrder":
      return isOrder(value) ? [] : [{ key: "PropertyValueFormatError", args: [JSON.stringify(value), name], about }];
    default:
      return [{ key: "PropertyUnknown", args: [name], about }];
  }
}

function isOrder(value: unknown): boolean {
  return Array.isArray(value) && value.every((id) => bootOptions.some((option) => option.id === id));
}
