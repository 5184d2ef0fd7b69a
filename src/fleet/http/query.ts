/** Query parameters of reads: $expand, $select, $skip and $top, where the profile offers them. */
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Profile } from "../profiles/profile.ts";
import { type Reply, refuse } from "./reply.ts";

export type ReadAt = (path: string) => JsonObject | undefined;

/** Applies the query, or says why not. Parameters without a dollar sign are ignored, as the protocol wants. */
export function applyQuery(
  body: JsonObject,
  query: URLSearchParams,
  profile: Profile,
  readAt: ReadAt,
): JsonObject | Reply {
  let shaped: JsonObject = body;
  for (const name of query.keys())
    if (name.startsWith("$") && !offered(name, profile)) return refuse(501, "QueryNotSupportedOnResource");
  const window = windowOf(query, body);
  if ("status" in window) return window;
  if (query.has("$skip") || query.has("$top")) shaped = cut(shaped, window);
  const expand = query.get("$expand");
  if (expand !== null) {
    const levels = levelsOf(expand, profile);
    if (typeof levels !== "number") return levels;
    shaped = expandMembers(shaped, { everything: !expand.startsWith("."), levels, readAt });
  }
  const select = query.get("$select");
  return select === null ? shaped : selectMembers(shaped, select.split(","));
}

function offered(name: string, profile: Profile): boolean {
  if (name === "$expand") return profile.expand !== undefined;
  if (name === "$select") return profile.select;
  return name === "$skip" || name === "$top";
}

interface Window {
  readonly skip: number;
  readonly top: number;
}

function windowOf(query: URLSearchParams, body: JsonObject): Window | (Reply & { readonly status: number }) {
  const number = (name: string, otherwise: number): number => (query.has(name) ? Number(query.get(name)) : otherwise);
  const skip = number("$skip", 0);
  const top = number("$top", Infinity);
  const wrong = [["$skip", skip] as const, ["$top", top] as const].find(([, value]) => !(value >= 0) || value % 1 > 0);
  if (wrong)
    return {
      status: 400,
      sayings: [{ key: "QueryParameterValueFormatError", args: [query.get(wrong[0]) ?? "", wrong[0]] }],
    };
  if ((query.has("$skip") || query.has("$top")) && !Array.isArray(body.Members))
    return { status: 400, sayings: [{ key: "QueryNotSupportedOnResource" }] };
  return { skip, top };
}

function cut(body: JsonObject, { skip, top }: Window): JsonObject {
  const members = (body.Members ?? []) as readonly Json[];
  const rest = members.length > skip + top;
  return {
    ...body,
    Members: members.slice(skip, skip + top),
    "Members@odata.nextLink": rest ? `${String(body["@odata.id"])}?$skip=${skip + top}&$top=${top}` : undefined,
  };
}

function levelsOf(expand: string, profile: Profile): number | Reply {
  const form = /^[.*~](?:\(\$levels=(\d+)\))?$/.exec(expand);
  if (!form) return refuse(400, "QueryParameterValueFormatError", expand, "$expand");
  const levels = Number(form[1] ?? 1);
  const most = profile.expand?.maxLevels ?? 1;
  if (levels > most) return refuse(400, "QueryParameterOutOfRange", String(levels), "$expand", `1-${most}`);
  return levels;
}

interface Expansion {
  readonly everything: boolean;
  readonly levels: number;
  readonly readAt: ReadAt;
}

function expandMembers(body: JsonObject, how: Expansion): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === "Links" || name === "Actions" ? value : expandValue(value, how),
    ]),
  );
}

function expandValue(value: Json | undefined, how: Expansion): Json | undefined {
  if (Array.isArray(value)) return value.map((one) => expandValue(one, how) ?? null);
  if (!isObject(value)) return value;
  const target = value["@odata.id"];
  if (typeof target !== "string" || Object.keys(value).length > 1) return value;
  const found = how.readAt(target);
  if (!found) return value;
  return how.levels > 1 ? expandMembers(found, { ...how, levels: how.levels - 1 }) : found;
}

function selectMembers(body: JsonObject, names: readonly string[]): JsonObject {
  const wanted = new Set(names.map((name) => name.split("/")[0]));
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name]) => name.startsWith("@odata.") || name.startsWith("Members") || wanted.has(name),
    ),
  );
}
