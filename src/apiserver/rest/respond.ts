/** Writes objects and lists in the form the client asked for: whole, as a table, or metadata only; JSON or YAML. */
import { stringify } from "yaml";
import type { KubeObject } from "#kinds";
import type { ApiResponse } from "../http/message.ts";
import type { Entry } from "../store/index.ts";
import { type IncludeObject, partialMetadata, table, tableRow } from "../table/table.ts";
import type { Call, Environment } from "./call.ts";
import { apiVersionOfResource } from "./resource.ts";
import { entryJson, itemJson, served } from "./stored-form.ts";

export interface ListPage {
  readonly entries: readonly Entry[];
  readonly revision: number;
  readonly next?: string;
  readonly remaining?: number;
}

export function respondEntry(call: Call, environment: Environment, status: number, entry: Entry): ApiResponse {
  const { accepted, resource } = call;
  if (accepted.form === "object" && accepted.encoding === "json")
    return reply(call, status, entryJson(entry, resource));
  return respondObject(call, environment, status, entry.object);
}

export function respondObject(call: Call, environment: Environment, status: number, object: KubeObject): ApiResponse {
  return respondValue(call, status, objectForm(call, environment, served(object, call.resource)));
}

function objectForm(call: Call, { clock }: Environment, object: KubeObject): unknown {
  const { form } = call.accepted;
  if (form === "PartialObjectMetadata") return partialMetadata(object);
  if (form !== "Table") return object;
  const { columns } = call.resource;
  const row = tableRow(object, { columns, include: includeObject(call), now: clock.now() });
  return table({ resourceVersion: object.metadata.resourceVersion }, columns, [row]);
}

export function includeObject({ request }: Call): IncludeObject {
  const include = request.query.get("includeObject");
  return include === "None" || include === "Object" ? include : "Metadata";
}

/** Any value that is not one of the resource's objects: a Status, a review, a scale. */
export function respondValue(
  call: Pick<Call, "accepted" | "warnings" | "request">,
  status: number,
  value: unknown,
): ApiResponse {
  if (call.accepted.encoding === "yaml") {
    return {
      status,
      headers: headersOf(call, "application/yaml"),
      body: stringify(value, { aliasDuplicateObjects: false }),
    };
  }
  return reply(call, status, JSON.stringify(value));
}

export function respondList(call: Call, environment: Environment, page: ListPage): ApiResponse {
  const { accepted } = call;
  const metadata = {
    resourceVersion: String(page.revision),
    ...(page.next && { continue: page.next }),
    ...(page.remaining && { remainingItemCount: page.remaining }),
  };
  if (accepted.form === "Table") return respondValue(call, 200, tableOf(call, environment, page, metadata));
  if (accepted.form === "PartialObjectMetadataList" || accepted.form === "PartialObjectMetadata") {
    return respondValue(call, 200, metadataList(page, metadata));
  }
  const json = wholeList(call, page, metadata);
  return accepted.encoding === "yaml" ? respondValue(call, 200, JSON.parse(json)) : reply(call, 200, json);
}

function tableOf(call: Call, { clock }: Environment, page: ListPage, metadata: unknown): unknown {
  const options = { columns: call.resource.columns, include: includeObject(call), now: clock.now() };
  const rows = page.entries.map((e) => tableRow(served(e.object, call.resource), options));
  return table(metadata, options.columns, rows);
}

function metadataList(page: ListPage, metadata: unknown): unknown {
  const items = page.entries.map((e) => partialMetadata(e.object));
  return { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata, items };
}

function wholeList({ resource }: Call, page: ListPage, metadata: unknown): string {
  const head = `{"kind":${JSON.stringify(resource.listKind)},"apiVersion":${JSON.stringify(apiVersionOfResource(resource))}`;
  const items = page.entries.map((e) => itemJson(e, resource));
  return `${head},"metadata":${JSON.stringify(metadata)},"items":[${items.join(",")}]}`;
}

function reply(call: Pick<Call, "warnings" | "request">, status: number, json: string): ApiResponse {
  const pretty = call.request.query.get("pretty");
  const isPretty = pretty === "true" || pretty === "1" || (pretty === null && isReadByPeople(call));
  const body = isPretty ? JSON.stringify(JSON.parse(json), null, 2) : `${json}\n`;
  return { status, headers: headersOf(call, "application/json"), body };
}

/** Upstream indents for the tools people read with. */
function isReadByPeople({ request }: Pick<Call, "request">): boolean {
  return /^(curl|Wget|Mozilla\/5\.0)/.test(request.headers["user-agent"] ?? "");
}

export function headersOf({ warnings }: Pick<Call, "warnings">, type: string): ApiResponse["headers"] {
  const headers: ApiResponse["headers"] = { "content-type": type, "cache-control": "no-cache, private" };
  if (warnings.length > 0) {
    headers.warning = [...new Set(warnings)].map((w) => `299 - "${w.replace(/[\\"]/g, "\\$&").replace(/\s+/g, " ")}"`);
  }
  return headers;
}
