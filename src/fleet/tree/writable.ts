/** PATCH for members that are simply remembered: checked against what is there, refused in full or taken in full. */
import type { Saying } from "../http/messages.ts";
import type { Asked, Place } from "../http/place.ts";
import { noContent, type Reply, refuseAll } from "../http/reply.ts";
import { isObject, type Json, type JsonObject, merge } from "../json.ts";

/** Which members may be written; a list names the allowed values, `true` anything of the type that is there. */
export type Writable = Readonly<Record<string, true | readonly string[]>>;

/** A handler that keeps writable members in the BMC's overlay. `read` gives the resource as it is. */
export function rememberWrites(
  writable: Writable,
  read: (at: Place) => JsonObject | undefined,
): (at: Place, asked: Asked) => Reply {
  return (at, { body }) => {
    const current = read(at) ?? {};
    const wrong = problemsOf(body, current, writable);
    if (wrong.length > 0) return refuseAll(400, wrong);
    remember(at, body, current);
    return written(at);
  };
}

/** How this vendor answers a PATCH that was taken. */
export function written({ profile }: Place): Reply {
  return profile.writeStatus === 204 ? noContent : { status: 200, sayings: [{ key: "Success" }] };
}

/** Keeps members so that every later read shows them; `current` is what the PATCH is applied to. */
export function remember({ bmc, path }: Place, values: JsonObject, current: JsonObject): void {
  bmc.overlay ??= new Map();
  const before = { ...current, ...bmc.overlay.get(path) };
  const after = merge(before, values);
  const changed = Object.fromEntries(Object.keys(values).map((name) => [name, after[name]]));
  bmc.overlay.set(path, { ...bmc.overlay.get(path), ...changed });
}

/** Every problem with a PATCH body, none when it may be taken. */
export function problemsOf(body: JsonObject, current: JsonObject, writable: Writable): Saying[] {
  const names = Object.keys(body).filter((name) => !name.startsWith("@"));
  if (names.length === 0) return [{ key: "NoOperation" }];
  return names.flatMap((name): Saying[] => {
    const rule = writable[name];
    const about = [`#/${name}`];
    if (rule === undefined)
      return [{ key: name in current ? "PropertyNotWritable" : "PropertyUnknown", args: [name], about }];
    const value = body[name];
    if (rule !== true && !(typeof value === "string" && rule.includes(value)))
      return [{ key: "PropertyValueNotInList", args: [String(value), name], about }];
    return sameShape(value, current[name])
      ? []
      : [{ key: "PropertyValueTypeError", args: [JSON.stringify(value), name], about }];
  });
}

function sameShape(value: Json | undefined, current: Json | undefined): boolean {
  if (current === undefined || current === null || value === null) return true;
  if (Array.isArray(current)) return Array.isArray(value);
  if (isObject(current))
    return isObject(value) && Object.entries(value).every(([name, inner]) => sameShape(inner, current[name]));
  return typeof value === typeof current;
}
